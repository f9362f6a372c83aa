//! Which kind a statement is. Fortran has no reserved words, so the order of questions matters:
//! an assignment first (`=` outside brackets, no comma after it), then DO, then IF, then the
//! longest keyword. `DO10I=1.10` is an assignment, `useTOL=.FALSE.` no USE.

use super::kind::{DoControl, End, Kind};
use super::scan::{after_designator, after_name, closing, commas, find_top};
use super::specification::{procedure_head, specification};
use crate::view::{Slice, Statement};

/// The kind of a statement, and the name of the construct that it begins.
pub fn classify(statement: &Statement) -> (Kind, Option<Slice>) {
    let text = statement.text.as_str();
    if let Some(after) = construct_name(text) {
        let kind = executable(text, after);
        if is_named(&kind) {
            return (kind, Some(Slice::new(0, after - 1)));
        }
    }
    (kind_of(statement), None)
}

/// The index after `name:`.
fn construct_name(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let end = after_name(bytes, 0);
    let is_name = end > 0 && bytes.get(end) == Some(&b':') && bytes.get(end + 1) != Some(&b':');
    is_name.then_some(end + 1)
}

fn is_named(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::IfThen(_)
            | Kind::Do { .. }
            | Kind::SelectCase(_)
            | Kind::SelectOther
            | Kind::Where { action: None, .. }
            | Kind::Forall { action: None, .. }
            | Kind::Associate(_)
            | Kind::Block
            | Kind::Critical
    )
}

fn kind_of(statement: &Statement) -> Kind {
    let text = statement.text.as_str();
    if let Some(kind) = old_parameter(statement).or_else(|| assignment(text, 0)) {
        return kind;
    }
    if text == "contains" {
        return Kind::Contains;
    }
    if let Some(kind) = procedure_head(statement) {
        return kind;
    }
    if let Some(kind) = end(text) {
        return kind;
    }
    let kind = executable(text, 0);
    if kind != Kind::Unknown {
        return kind;
    }
    specification(text).unwrap_or(Kind::Unknown)
}

/// `PARAMETER n = 10`, without parentheses; a blank tells it from an assignment.
fn old_parameter(statement: &Statement) -> Option<Kind> {
    const LENGTH: usize = "parameter".len();
    let text = statement.text.as_str();
    let names = text.strip_prefix("parameter")?;
    let end = after_name(names.as_bytes(), 0);
    let is_one = end > 0
        && names.as_bytes().get(end) == Some(&b'=')
        && !matches!(names.as_bytes().get(end + 1), Some(b'=' | b'>') | None)
        && statement.has_gap(LENGTH);
    is_one.then(|| Kind::Parameter(Slice::new(LENGTH, text.len())))
}

/// `target = value` or `target => value`.
fn assignment(text: &str, start: usize) -> Option<Kind> {
    let bytes = text.as_bytes();
    let end = after_designator(bytes, start)?;
    if bytes.get(end) != Some(&b'=') {
        return None;
    }
    let target = Slice::new(start, end);
    match bytes.get(end + 1) {
        Some(b'=') | None => None,
        Some(b'>') => Some(Kind::PointerAssignment {
            target,
            value: Slice::new(end + 2, text.len()),
        }),
        Some(_) => {
            let value = Slice::new(end + 1, text.len());
            let has_comma = find_top(bytes, value, |t, at| t[at] == b',').is_some();
            (!has_comma).then_some(Kind::Assignment { target, value })
        }
    }
}

/// An executable statement that begins at `start`.
fn executable(text: &str, start: usize) -> Kind {
    if let Some(kind) = assignment(text, start) {
        return kind;
    }
    let rest = &text[start..];
    do_statement(text, start)
        .or_else(|| if_statement(text, start))
        .or_else(|| construct(text, start))
        .or_else(|| jump(text, start))
        .or_else(|| call(text, start))
        .or_else(|| memory(text, start))
        .or_else(|| io(text, start))
        .unwrap_or_else(|| match rest {
            "continue" => Kind::Continue,
            _ if rest.starts_with("stop") || rest.starts_with("errorstop") => Kind::Stop,
            _ if rest.starts_with("pause") => Kind::Io {
                word: "pause",
                control: Slice::default(),
                items: Slice::default(),
            },
            _ => Kind::Unknown,
        })
}

/// What follows `word` at `start`.
fn after(text: &str, start: usize, word: &str) -> Option<usize> {
    text[start..]
        .starts_with(word)
        .then_some(start + word.len())
}

/// What stands in the parentheses that follow `word` at `start`, and the index after them.
fn in_parentheses(text: &str, start: usize, word: &str) -> Option<(Slice, usize)> {
    let open = after(text, start, word)?;
    if text.as_bytes().get(open) != Some(&b'(') {
        return None;
    }
    let close = closing(text.as_bytes(), open)?;
    Some((Slice::new(open + 1, close), close + 1))
}

fn do_statement(text: &str, start: usize) -> Option<Kind> {
    let bytes = text.as_bytes();
    let mut at = after(text, start, "do")?;
    let digits = bytes[at..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    let label = text[at..at + digits].parse().ok();
    at += digits;
    if bytes.get(at) == Some(&b',') {
        at += 1;
    }
    if at == text.len() {
        return Some(Kind::Do {
            label,
            control: DoControl::Forever,
        });
    }
    if let Some((condition, end)) = in_parentheses(text, at, "while")
        && end == text.len()
    {
        return Some(Kind::Do {
            label,
            control: DoControl::While(condition),
        });
    }
    if let Some((header, _)) = in_parentheses(text, at, "concurrent") {
        return Some(Kind::Do {
            label,
            control: DoControl::Concurrent(header),
        });
    }
    let equals = after_designator(bytes, at)?;
    if bytes.get(equals) != Some(&b'=') {
        return None;
    }
    let bounds = commas(bytes, Slice::new(equals + 1, text.len()));
    let control = match bounds.as_slice() {
        [from, to] => (*from, *to, Slice::default()),
        [from, to, step] => (*from, *to, *step),
        _ => return None,
    };
    Some(Kind::Do {
        label,
        control: DoControl::Counted {
            variable: Slice::new(at, equals),
            from: control.0,
            to: control.1,
            step: control.2,
        },
    })
}

fn if_statement(text: &str, start: usize) -> Option<Kind> {
    if let Some((condition, end)) = in_parentheses(text, start, "elseif") {
        return text[end..]
            .starts_with("then")
            .then_some(Kind::ElseIf(condition));
    }
    let (condition, end) = in_parentheses(text, start, "if")?;
    let rest = &text[end..];
    if rest == "then" {
        return Some(Kind::IfThen(condition));
    }
    if !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit() || b == b',') {
        return Some(Kind::ArithmeticIf {
            value: condition,
            labels: Slice::new(end, text.len()),
        });
    }
    Some(Kind::If {
        condition,
        action: Box::new(action(text, end)),
    })
}

/// The statement of a one-line IF, WHERE or FORALL. It is none of these itself.
fn action(text: &str, start: usize) -> Kind {
    if let Some(kind) = assignment(text, start) {
        return kind;
    }
    let kind = executable(text, start);
    let is_if = in_parentheses(text, start, "if").is_some();
    if is_if && !matches!(kind, Kind::ArithmeticIf { .. }) {
        return Kind::Unknown;
    }
    kind
}

fn construct(text: &str, start: usize) -> Option<Kind> {
    let rest = &text[start..];
    if rest == "else"
        || (rest.starts_with("else") && is_name(&rest[4..]) && !rest.starts_with("elsewhere"))
    {
        return Some(Kind::Else);
    }
    if rest.starts_with("elsewhere") {
        let mask = in_parentheses(text, start, "elsewhere").map_or(Slice::default(), |(m, _)| m);
        return Some(Kind::ElseWhere(mask));
    }
    if let Some((selector, end)) = in_parentheses(text, start, "selectcase") {
        return (end == text.len()).then_some(Kind::SelectCase(selector));
    }
    if rest.starts_with("selecttype(") || rest.starts_with("selectrank(") {
        return Some(Kind::SelectOther);
    }
    if let Some((labels, _)) = in_parentheses(text, start, "case") {
        return Some(Kind::Case(labels));
    }
    if rest.starts_with("casedefault") {
        return Some(Kind::Case(Slice::default()));
    }
    const GUARDS: [&str; 6] = [
        "typeis(",
        "classis(",
        "classdefault",
        "rank(",
        "rankdefault",
        "rank*",
    ];
    if GUARDS.into_iter().any(|guard| rest.starts_with(guard)) {
        return Some(Kind::TypeGuard);
    }
    if let Some((mask, end)) = in_parentheses(text, start, "where") {
        let action = (end < text.len()).then(|| Box::new(action(text, end)));
        return Some(Kind::Where { mask, action });
    }
    if let Some((header, end)) = in_parentheses(text, start, "forall") {
        let action = (end < text.len()).then(|| Box::new(action(text, end)));
        return Some(Kind::Forall { header, action });
    }
    if let Some((list, _)) = in_parentheses(text, start, "associate") {
        return Some(Kind::Associate(list));
    }
    match rest {
        "block" => Some(Kind::Block),
        "critical" => Some(Kind::Critical),
        _ if rest.starts_with("changeteam(") => Some(Kind::Critical),
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && after_name(text.as_bytes(), 0) == text.len()
}

fn jump(text: &str, start: usize) -> Option<Kind> {
    let whole = |at: usize| Slice::new(at, text.len());
    if let Some(at) = after(text, start, "exit")
        && (at == text.len() || is_name(&text[at..]))
    {
        return Some(Kind::Exit(whole(at)));
    }
    if let Some(at) = after(text, start, "cycle")
        && (at == text.len() || is_name(&text[at..]))
    {
        return Some(Kind::Cycle(whole(at)));
    }
    if let Some(at) = after(text, start, "return") {
        return Some(Kind::Return(whole(at)));
    }
    if let Some(at) = after(text, start, "goto") {
        if text[at..].bytes().all(|b| b.is_ascii_digit()) && at < text.len() {
            return Some(Kind::Goto(whole(at)));
        }
        if let Some((labels, end)) = in_parentheses(text, start, "goto") {
            let skip = usize::from(text.as_bytes().get(end) == Some(&b','));
            return Some(Kind::ComputedGoto {
                labels,
                selector: whole(end + skip),
            });
        }
        return assigned_goto(text, at);
    }
    let at = after(text, start, "assign")?;
    let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let to = at + digits;
    let variable = after(text, to, "to")?;
    (digits > 0 && is_name(&text[variable..])).then(|| Kind::Assign {
        label: Slice::new(at, to),
        variable: whole(variable),
    })
}

/// `variable`, `variable(labels)` or `variable,(labels)`.
fn assigned_goto(text: &str, at: usize) -> Option<Kind> {
    let end = after_name(text.as_bytes(), at);
    let rest = &text[end..];
    let list = rest.strip_prefix(',').unwrap_or(rest);
    let labels = match list.strip_prefix('(') {
        Some(inside) => Slice::new(text.len() - inside.len(), text.len() - 1),
        None => Slice::default(),
    };
    let fits = list.is_empty() || (list.starts_with('(') && list.ends_with(')'));
    (end > at && fits).then_some(Kind::AssignedGoto {
        variable: Slice::new(at, end),
        labels,
    })
}

fn call(text: &str, start: usize) -> Option<Kind> {
    let at = after(text, start, "call")?;
    let bytes = text.as_bytes();
    let end = after_designator(bytes, at)?;
    if end != text.len() {
        return None;
    }
    if bytes[end - 1] != b')' {
        return Some(Kind::Call {
            target: Slice::new(at, end),
            arguments: Slice::default(),
        });
    }
    let open = find_last_open(bytes, at, end)?;
    Some(Kind::Call {
        target: Slice::new(at, open),
        arguments: Slice::new(open + 1, end - 1),
    })
}

/// The parenthesis that matches the one at `end - 1`.
fn find_last_open(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let mut at = start;
    while at < end {
        match bytes[at] {
            b'(' | b'[' => {
                let close = closing(bytes, at)?;
                if close + 1 == end {
                    return Some(at);
                }
                at = close + 1;
            }
            _ => at += 1,
        }
    }
    None
}

fn memory(text: &str, start: usize) -> Option<Kind> {
    type Make = fn(Slice) -> Kind;
    let words: [(&str, Make); 3] = [
        ("allocate", Kind::Allocate),
        ("deallocate", Kind::Deallocate),
        ("nullify", Kind::Nullify),
    ];
    words.into_iter().find_map(|(word, make)| {
        let (list, end) = in_parentheses(text, start, word)?;
        (end == text.len()).then(|| make(list))
    })
}

fn io(text: &str, start: usize) -> Option<Kind> {
    const WORDS: [&str; 13] = [
        "write",
        "read",
        "print",
        "open",
        "close",
        "inquire",
        "rewind",
        "backspace",
        "endfile",
        "flush",
        "wait",
        "type",
        "accept",
    ];
    let word = WORDS
        .into_iter()
        .find(|word| text[start..].starts_with(word))?;
    let at = start + word.len();
    let whole = Slice::new(at, text.len());
    let simple = matches!(word, "rewind" | "backspace" | "endfile" | "flush");
    if matches!(word, "print" | "type" | "accept") {
        let next = text.as_bytes().get(at).copied().unwrap_or(b' ');
        let is_format = matches!(next, b'*' | b'\'' | b'"' | b'(') || next.is_ascii_digit();
        if word != "print" && !(next == b'*' || next.is_ascii_digit()) {
            return None;
        }
        if !is_format && !is_name(text[at..].split(',').next().unwrap_or("")) {
            return None;
        }
        return Some(Kind::Io {
            word,
            control: Slice::default(),
            items: after_first_comma(text, whole),
        });
    }
    if let Some((control, end)) = in_parentheses(text, start, word) {
        return Some(Kind::Io {
            word,
            control,
            items: Slice::new(end, text.len()),
        });
    }
    if word == "read" && at < text.len() {
        return Some(Kind::Io {
            word,
            control: Slice::default(),
            items: after_first_comma(text, whole),
        });
    }
    (simple && at < text.len()).then_some(Kind::Io {
        word,
        control: whole,
        items: Slice::default(),
    })
}

fn after_first_comma(text: &str, slice: Slice) -> Slice {
    match find_top(text.as_bytes(), slice, |t, at| t[at] == b',') {
        Some(comma) => Slice::new(comma + 1, text.len()),
        None => Slice::default(),
    }
}

/// `END …`
fn end(text: &str) -> Option<Kind> {
    let rest = text.strip_prefix("end")?;
    if rest.is_empty() {
        return Some(Kind::End(End::Bare));
    }
    const WORDS: [(&str, End); 19] = [
        ("blockdata", End::Unit),
        ("block", End::Block),
        ("program", End::Unit),
        ("module", End::Unit),
        ("submodule", End::Unit),
        ("subroutine", End::Unit),
        ("function", End::Unit),
        ("procedure", End::Unit),
        ("interface", End::Interface),
        ("type", End::Type),
        ("enum", End::Enum),
        ("if", End::If),
        ("do", End::Do),
        ("select", End::Select),
        ("where", End::Where),
        ("forall", End::Forall),
        ("associate", End::Associate),
        ("critical", End::Critical),
        ("team", End::Critical),
    ];
    let (word, end) = WORDS.into_iter().find(|(word, _)| rest.starts_with(word))?;
    let tail = &rest[word.len()..];
    let fits = tail.is_empty()
        || is_name(tail)
        || (matches!(end, End::Interface) && !tail.is_empty())
        || (matches!(end, End::Critical) && tail.starts_with('('));
    fits.then_some(Kind::End(end))
}
