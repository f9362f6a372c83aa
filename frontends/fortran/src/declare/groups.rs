//! Specification statements that speak of several names at once: PARAMETER, COMMON, DATA,
//! EQUIVALENCE, IMPLICIT, enumerators; and statement functions.

use super::build::Declarer;
use super::entities::{Entity, entity_slices};
use super::scope::{Base, Candidate, DataGroup, ExprRef, Implicit, KindName, TypeName, What};
use super::type_spec::dimensions;
use crate::syntax::Kind;
use crate::syntax::blocks::Node;
use crate::syntax::scan::{after_name, closing, commas, find_top, in_name};
use crate::view::Slice;

/// `PARAMETER (a = 1, b = 2)`
pub fn parameters(declarer: &mut Declarer, index: usize, list: Slice) {
    let statement = declarer.statements[index].clone();
    let bytes = statement.text.as_bytes();
    let pairs: Vec<(Slice, Slice)> = commas(bytes, list)
        .into_iter()
        .filter_map(|part| {
            let end = after_name(bytes, part.start as usize);
            (bytes.get(end) == Some(&b'=')).then(|| {
                let name = Slice::new(part.start as usize, end);
                (name, Slice::new(end + 1, part.end as usize))
            })
        })
        .collect();
    let values: Vec<Slice> = pairs.iter().map(|pair| pair.1).collect();
    let (tree, is_broken) = declarer.parse_or_empty(index, &values);
    for (position, (name, _)) in pairs.into_iter().enumerate() {
        let symbol = declarer.named(&statement, name);
        symbol.is_parameter = true;
        symbol.is_broken |= is_broken;
        symbol.init = tree.root(position).map(|node| ExprRef {
            tree: tree.clone(),
            node,
        });
    }
}

/// `COMMON /block/ a, b(10) /other/ c`
pub fn common(declarer: &mut Declarer, index: usize, list: Slice) {
    let statement = declarer.statements[index].clone();
    let bytes = statement.text.as_bytes();
    let end = list.end as usize;
    let mut at = list.start as usize;
    while at < end {
        let mut block = String::new();
        if bytes[at] == b'/' {
            let close =
                find_top(bytes, Slice::new(at + 1, end), |t, i| t[i] == b'/').unwrap_or(end);
            block = statement.part(Slice::new(at + 1, close)).to_owned();
            at = close + 1;
        }
        let stop = find_top(bytes, Slice::new(at, end), |t, i| t[i] == b'/').unwrap_or(end);
        let stop = stop.max(at);
        members(declarer, index, block, Slice::new(at, stop));
        at = stop.max(at + usize::from(stop == at));
    }
}

fn members(declarer: &mut Declarer, index: usize, block: String, list: Slice) {
    let statement = declarer.statements[index].clone();
    let entities = declarer.entity_list(index, list);
    let slices: Vec<Slice> = entities.iter().map(|entity| entity.dims).collect();
    let (tree, is_broken) = declarer.parse_or_empty(index, &slices);
    let mut names = Vec::new();
    for (position, entity) in entities.iter().enumerate() {
        let symbol = declarer.named(&statement, entity.name);
        symbol.common = Some(block.clone());
        symbol.is_broken |= is_broken;
        if !entity.dims.is_empty() {
            symbol.dims = dimensions(&tree, position);
        }
        names.push(statement.part(entity.name).to_owned());
    }
    let commons = &mut declarer.scope().commons;
    match commons.iter_mut().find(|(name, _)| *name == block) {
        Some((_, members)) => members.extend(names),
        None => commons.push((block, names)),
    }
}

/// `NAMELIST /control/ a, b /output/ c`
pub fn namelists(declarer: &mut Declarer, index: usize, list: Slice) {
    let statement = declarer.statements[index].clone();
    let bytes = statement.text.as_bytes();
    let end = list.end as usize;
    let slash = |from: usize| find_top(bytes, Slice::new(from, end), |t, i| t[i] == b'/');
    let mut at = list.start as usize;
    while let Some(open) = slash(at) {
        let Some(close) = slash(open + 1) else {
            break;
        };
        let stop = slash(close + 1).unwrap_or(end);
        let members = commas(bytes, Slice::new(close + 1, stop))
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(|part| statement.part(part).to_owned());
        let members: Vec<String> = members.collect();
        let symbol = declarer.named(&statement, Slice::new(open + 1, close));
        match &mut symbol.what {
            What::Namelist(known) => known.extend(members),
            what => *what = What::Namelist(members),
        }
        at = stop;
    }
}

/// `DATA a, b(1) /1, 2/`: the variables keep their values between calls.
pub fn data(declarer: &mut Declarer, index: usize, list: Slice) {
    let statement = declarer.statements[index].clone();
    let bytes = statement.text.as_bytes();
    let end = list.end as usize;
    let slash = |from: usize| find_top(bytes, Slice::new(from, end), |t, i| t[i] == b'/');
    let mut at = list.start as usize;
    while let Some(open) = slash(at) {
        let Some(close) = slash(open + 1) else {
            break;
        };
        mark_saved(declarer, index, Slice::new(at, open));
        data_group(
            declarer,
            index,
            Slice::new(at, open),
            Slice::new(open + 1, close),
        );
        at = close + 1;
        at += usize::from(bytes.get(at) == Some(&b','));
    }
}

/// `INTEGER k/5/, m(2)/1, 2/`
pub fn values_between_slashes(declarer: &mut Declarer, index: usize, list: Slice) {
    let statement = declarer.statements[index].clone();
    if !statement.part(list).contains('/') {
        return;
    }
    for part in entity_slices(&statement, list) {
        if let Some(entity) = Entity::of(&statement, part)
            && let Some(values) = entity.data
        {
            data_group(declarer, index, entity.name, values);
        }
    }
}

/// Notes that the variables of a target list have values.
fn mark_saved(declarer: &mut Declarer, index: usize, list: Slice) {
    let statement = declarer.statements[index].clone();
    let bytes = statement.text.as_bytes();
    let mut at = list.start as usize;
    while at < list.end as usize {
        let next = after_name(bytes, at);
        if next == at {
            at += 1;
            continue;
        }
        // The variable of an implied loop is local to the statement.
        if bytes.get(next) != Some(&b'=') {
            let symbol = declarer.named(&statement, Slice::new(at, next));
            symbol.is_saved = true;
            symbol.has_data = true;
        }
        at = match bytes.get(next) {
            Some(b'(') => closing(bytes, next).map_or(list.end as usize, |close| close + 1),
            Some(b'=') => end_of_loop(bytes, next, list.end as usize),
            _ => next,
        };
    }
}

/// Past the parenthesis that ends an implied loop, from its `=`.
fn end_of_loop(bytes: &[u8], from: usize, end: usize) -> usize {
    let mut depth = 0;
    for (at, &byte) in bytes.iter().enumerate().take(end).skip(from) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return at + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    end
}

fn data_group(declarer: &mut Declarer, index: usize, targets: Slice, values: Slice) {
    let statement = declarer.statements[index].clone();
    let bytes = statement.text.as_bytes();
    let mut slices = vec![targets];
    for part in commas(bytes, values) {
        let start = part.start as usize;
        let end = start
            + bytes[start..part.end as usize]
                .iter()
                .take_while(|&&b| in_name(b))
                .count();
        if end > start && bytes.get(end) == Some(&b'*') {
            slices.push(Slice::new(start, end));
            slices.push(Slice::new(end + 1, part.end as usize));
        } else {
            slices.push(Slice::default());
            slices.push(part);
        }
    }
    // Values that do not parse leave their variables without any, which refuses their use.
    let Ok(tree) = declarer.parser.parse(&statement, &slices) else {
        return;
    };
    let tree = std::sync::Arc::new(tree);
    let refer = |node| ExprRef {
        tree: tree.clone(),
        node,
    };
    let targets = tree.roots(0).iter().map(|&node| refer(node)).collect();
    let mut values = Vec::new();
    for position in (1..slices.len()).step_by(2) {
        match tree.root(position + 1) {
            Some(value) => values.push((tree.root(position).map(refer), refer(value))),
            None => return,
        }
    }
    declarer.scope().data.push(DataGroup { targets, values });
}

/// `EQUIVALENCE (a, b(1)), (c, d)`; it declares those of them that nothing else does.
pub fn equivalence(declarer: &mut Declarer, index: usize, list: Slice) {
    let statement = declarer.statements[index].clone();
    let bytes = statement.text.as_bytes();
    let groups: Vec<Slice> = commas(bytes, list)
        .into_iter()
        .filter(|group| group.end > group.start + 2)
        .map(|group| Slice {
            start: group.start + 1,
            end: group.end - 1,
        })
        .collect();
    for member in groups.iter().flat_map(|&group| commas(bytes, group)) {
        let start = member.start as usize;
        let end = after_name(bytes, start);
        if end > start {
            declarer.named(&statement, Slice::new(start, end));
        }
    }
    let (tree, _) = declarer.parse_or_empty(index, &groups);
    for position in 0..groups.len() {
        let members = tree
            .roots(position)
            .iter()
            .map(|&node| ExprRef {
                tree: tree.clone(),
                node,
            })
            .collect();
        declarer.scope().equivalences.push(members);
    }
}

/// `IMPLICIT REAL*8 (a-h, o-z)`, `IMPLICIT NONE`
pub fn implicit(declarer: &mut Declarer, index: usize, rest: Slice) {
    let statement = declarer.statements[index].clone();
    let bytes = statement.text.as_bytes();
    declarer.scope().implicit.stated = true;
    if statement.part(rest).starts_with("none") {
        declarer.scope().implicit.none = true;
        return;
    }
    for part in commas(bytes, rest) {
        let text = statement.part(part);
        let Some(open) = text.rfind('(') else {
            continue;
        };
        let letters = text[open + 1..].trim_end_matches(')').to_owned();
        let spec = Slice::new(part.start as usize, part.start as usize + open);
        let Some(ty) = declarer.type_name(index, spec) else {
            continue;
        };
        for range in letters.split(',') {
            let mut ends = range.chars().filter(char::is_ascii_lowercase);
            let Some(first) = ends.next() else {
                continue;
            };
            let last = ends.next().unwrap_or(first);
            for letter in first..=last {
                declarer.scope().implicit.letters.insert(letter, ty.clone());
            }
        }
    }
}

impl Implicit {
    /// The type that the first letter gives, where nothing is stated for it.
    pub fn default_of(letter: char) -> TypeName {
        let base = if ('i'..='n').contains(&letter) {
            Base::Integer
        } else {
            Base::Real
        };
        let spelling = match base {
            Base::Integer => "integer",
            _ => "real",
        };
        TypeName {
            base,
            kind: KindName::Default,
            length: None,
            spelling: spelling.to_owned(),
        }
    }
}

/// `ENUMERATOR :: a = 1, b`: integer constants.
pub fn enumerators(declarer: &mut Declarer, members: &[usize]) {
    for &index in members {
        let Kind::Enumerator(list) = declarer.kinds[index].kind else {
            continue;
        };
        let statement = declarer.statements[index].clone();
        let skip = if statement.part(list).starts_with("::") {
            2
        } else {
            0
        };
        let list = Slice {
            start: list.start + skip,
            end: list.end,
        };
        parameters(declarer, index, list);
        for Entity { name, .. } in declarer.entity_list(index, list) {
            let symbol = declarer.named(&statement, name);
            symbol.is_parameter = true;
            symbol.ty = Some(Implicit::default_of('i'));
        }
    }
}

/// Notes the assignments at the start of the body that may be statement functions.
pub fn statement_functions(declarer: &mut Declarer) {
    let mut candidates = Vec::new();
    for node in declarer.scope().body.clone() {
        let Node::Simple(index) = node else {
            break;
        };
        let Kind::Assignment { target, value } = declarer.kinds[index].kind else {
            break;
        };
        match candidate(declarer, index, target, value) {
            Some(candidate) => candidates.push(candidate),
            None => break,
        }
    }
    declarer.scope().candidates = candidates;
}

fn candidate(
    declarer: &mut Declarer,
    index: usize,
    target: Slice,
    value: Slice,
) -> Option<Candidate> {
    let statement = declarer.statements[index].clone();
    if !statement.part(target).ends_with(')') {
        return None;
    }
    let tree = declarer.parser.parse(&statement, &[target, value]).ok()?;
    let (name, arguments) = Declarer::names_in_apply(&tree, 0)?;
    let node = tree.root(1)?;
    let start = target.start as usize;
    let name_slice = Slice::new(start, start + name.len());
    Some(Candidate {
        original: statement.original_part(name_slice).to_owned(),
        span: statement.span_of(name_slice),
        name,
        arguments,
        value: ExprRef {
            tree: std::sync::Arc::new(tree),
            node,
        },
    })
}
