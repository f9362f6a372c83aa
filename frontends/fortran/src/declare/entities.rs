//! `REAL, DIMENSION(n) :: a, b(3) = 0`: declarations and attribute statements.

use super::build::Declarer;
use super::scope::{ExprRef, Length, Symbol, TypeName};
use super::type_spec::{TypeParts, dimensions};
use crate::cst::Tree;
use crate::syntax::Attribute;
use crate::syntax::scan::{after_name, after_string, closing, commas};
use crate::view::{Slice, Statement};
use contraflow_ir::Intent;
use std::sync::Arc;

/// One entity of a list, as text.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Entity {
    /// The name.
    pub name: Slice,
    /// The dimensions, without parentheses.
    pub dims: Slice,
    /// The character length, without `*` and parentheses.
    length: Slice,
    /// The initial value.
    value: Slice,
    /// Whether the value is a target (`=>`).
    is_target: bool,
    /// The values between slashes.
    pub data: Option<Slice>,
}

impl Entity {
    /// Takes `name(dims)*length = value` apart.
    pub fn of(statement: &Statement, slice: Slice) -> Option<Entity> {
        let bytes = &statement.text.as_bytes()[..slice.range().end];
        let start = slice.start as usize;
        let mut at = after_name(bytes, start);
        if at == start {
            return None;
        }
        let mut entity = Entity {
            name: Slice::new(start, at),
            ..Entity::default()
        };
        for _ in 0..2 {
            if bytes.get(at) == Some(&b'(') {
                let close = closing(bytes, at)?;
                entity.dims = Slice::new(at + 1, close);
                at = close + 1;
            }
            if bytes.get(at) == Some(&b'[') {
                at = closing(bytes, at)? + 1;
            }
            if bytes.get(at) == Some(&b'*') {
                at = entity.take_length(bytes, at + 1)?;
            }
        }
        match bytes.get(at) {
            Some(b'=') => {
                entity.is_target = bytes.get(at + 1) == Some(&b'>');
                let skip = 1 + usize::from(entity.is_target);
                entity.value = Slice::new(at + skip, bytes.len());
            }
            Some(b'/') => {
                let close = bytes[at + 1..].iter().rposition(|&b| b == b'/')?;
                entity.data = Some(Slice::new(at + 1, at + 1 + close));
            }
            _ => {}
        }
        Some(entity)
    }

    fn take_length(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if bytes.get(at) == Some(&b'(') {
            let close = closing(bytes, at)?;
            self.length = Slice::new(at + 1, close);
            return Some(close + 1);
        }
        let digits = bytes[at..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        self.length = Slice::new(at, at + digits);
        Some(at + digits)
    }

    /// The parts that are expressions.
    fn slices(self, statement: &Statement) -> [Slice; 3] {
        let is_star = matches!(statement.part(self.length), "*" | ":");
        let length = if is_star {
            Slice::default()
        } else {
            self.length
        };
        let mut parts = [self.dims, length, self.value];
        if length.start < self.dims.start && !length.is_empty() {
            parts.swap(0, 1);
        }
        parts
    }
}

/// Splits an entity list; a comma between slashes (old-style data) does not separate.
pub fn entity_slices(statement: &Statement, slice: Slice) -> Vec<Slice> {
    let bytes = statement.text.as_bytes();
    if !statement.part(slice).contains('/') {
        return commas(bytes, slice);
    }
    let mut parts = Vec::new();
    let (mut start, mut at) = (slice.start as usize, slice.start as usize);
    let (mut depth, mut in_data, mut has_value) = (0i32, false, false);
    while at < slice.range().end {
        match bytes[at] {
            b'\'' | b'"' => {
                at = after_string(bytes, at);
                continue;
            }
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'=' if depth == 0 => has_value = true,
            b'/' if depth == 0 && !has_value => in_data = !in_data,
            b',' if depth == 0 && !in_data => {
                parts.push(Slice::new(start, at));
                start = at + 1;
                has_value = false;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(Slice {
        start: start as u32,
        end: slice.end,
    });
    parts
}

/// Attributes of a declaration.
#[derive(Default)]
struct Attributes {
    symbol: Symbol,
    dims: Slice,
}

impl Attributes {
    fn of(statement: &Statement, slice: Slice) -> Attributes {
        let mut attributes = Attributes::default();
        for part in commas(statement.text.as_bytes(), slice) {
            attributes.take(statement, part);
        }
        attributes
    }

    fn take(&mut self, statement: &Statement, part: Slice) {
        let text = statement.part(part);
        let symbol = &mut self.symbol;
        match text {
            "parameter" => symbol.is_parameter = true,
            "allocatable" => symbol.is_allocatable = true,
            "pointer" => symbol.is_pointer = true,
            "target" => symbol.is_target = true,
            "optional" => symbol.is_optional = true,
            "value" => symbol.is_value = true,
            "save" => symbol.is_saved = true,
            "external" => symbol.is_external = true,
            "intrinsic" => symbol.is_intrinsic = true,
            "protected" => symbol.is_protected = true,
            "private" => symbol.is_private = Some(true),
            "public" => symbol.is_private = Some(false),
            _ => {
                if text.starts_with("dimension(") {
                    self.dims = Slice {
                        start: part.start + 10,
                        end: part.end - 1,
                    };
                } else if let Some(intent) = text.strip_prefix("intent(") {
                    symbol.intent = intent_of(intent.trim_end_matches(')'));
                }
            }
        }
    }
}

/// `in`, `out`, `inout`
pub fn intent_of(text: &str) -> Option<Intent> {
    match text {
        "in" => Some(Intent::In),
        "out" => Some(Intent::Out),
        "inout" => Some(Intent::InOut),
        _ => None,
    }
}

/// The symbols that a declaration declares.
pub fn declared(
    declarer: &mut Declarer,
    index: usize,
    type_spec: Slice,
    attributes: Slice,
    entities: Slice,
) -> Vec<(String, Symbol)> {
    let statement = declarer.statements[index].clone();
    let Some(parts) = TypeParts::of(&statement, type_spec) else {
        return Vec::new();
    };
    let attributes = Attributes::of(&statement, attributes);
    let entities: Vec<Entity> = entity_slices(&statement, entities)
        .into_iter()
        .filter_map(|slice| Entity::of(&statement, slice))
        .collect();
    let mut slices = parts.slices().to_vec();
    slices.push(attributes.dims);
    for entity in &entities {
        slices.extend(entity.slices(&statement));
    }
    let (tree, is_broken) = declarer.parse_or_empty(index, &slices);
    let ty = parts.resolve(&tree, 0);
    let shared = dimensions(&tree, 2);
    entities
        .iter()
        .enumerate()
        .map(|(position, entity)| {
            let mut symbol = attributes.symbol.clone();
            symbol.name = statement.original_part(entity.name).to_owned();
            symbol.span = Some(statement.span_of(entity.name));
            symbol.ty = Some(ty.clone());
            symbol.is_broken = is_broken;
            fill(&mut symbol, entity, &statement, &tree, 3 + 3 * position);
            if symbol.dims.is_empty() {
                symbol.dims.clone_from(&shared);
            }
            (statement.part(entity.name).to_owned(), symbol)
        })
        .collect()
}

/// Sets what an entity says about itself.
fn fill(
    symbol: &mut Symbol,
    entity: &Entity,
    statement: &Statement,
    tree: &Arc<Tree>,
    first: usize,
) {
    let slices = entity.slices(statement);
    for (offset, slice) in slices.into_iter().enumerate() {
        if slice.is_empty() {
            continue;
        }
        let index = first + offset;
        let refer = tree.root(index).map(|node| ExprRef {
            tree: tree.clone(),
            node,
        });
        if slice == entity.dims {
            symbol.dims = dimensions(tree, index);
        } else if slice == entity.value {
            if !entity.is_target {
                symbol.init = refer;
            }
        } else if let (Some(ty), Some(refer)) = (&mut symbol.ty, refer) {
            set_length(ty, refer);
        }
    }
    if matches!(statement.part(entity.length), "*" | ":")
        && let Some(ty) = &mut symbol.ty
    {
        ty.length = Some(Length::Assumed);
        ty.spelling = String::new();
    }
    let has_value = !entity.value.is_empty() || entity.data.is_some();
    if has_value && !symbol.is_parameter {
        symbol.is_saved = true;
    }
    symbol.has_data = entity.data.is_some();
}

/// `real x*8` and `character c*10`.
fn set_length(ty: &mut TypeName, refer: ExprRef) {
    use super::scope::{Base, KindName};
    if ty.base == Base::Character {
        ty.length = Some(Length::Expr(refer));
        ty.spelling = String::new();
    } else if let Ok(bytes) = refer.tree.text(refer.node).parse() {
        ty.kind = KindName::Bytes(bytes);
        ty.spelling = String::new();
    }
}

/// `DIMENSION a(3)`, `SAVE a, b`, …
pub fn attribute(declarer: &mut Declarer, index: usize, attribute: Attribute, list: Slice) {
    let statement = declarer.statements[index].clone();
    if list.is_empty() {
        match attribute {
            Attribute::Save => declarer.scope().saves_all = true,
            Attribute::Private => declarer.scope().is_private_by_default = true,
            _ => {}
        }
        return;
    }
    if attribute == Attribute::Pointer && statement.part(list).starts_with('(') {
        declarer.scope().address_pointers = Some(statement.place());
        return;
    }
    let says_access = matches!(attribute, Attribute::Private | Attribute::Public);
    let (generics, names): (Vec<Slice>, Vec<Slice>) = commas(statement.text.as_bytes(), list)
        .into_iter()
        .partition(|&part| says_access && is_generic_spec(statement.part(part)));
    for part in generics {
        let key = super::generics::key_of(statement.part(part));
        let span = statement.span_of(part);
        let original = statement.original_part(part);
        set(declarer.scope().symbol(&key, original, span), attribute);
    }
    let entities: Vec<Entity> = names
        .into_iter()
        .filter_map(|slice| Entity::of(&statement, slice))
        .collect();
    let slices: Vec<Slice> = entities.iter().map(|entity| entity.dims).collect();
    let (tree, is_broken) = declarer.parse_or_empty(index, &slices);
    for (position, entity) in entities.iter().enumerate() {
        let symbol = declarer.named(&statement, entity.name);
        symbol.is_broken |= is_broken;
        if !entity.dims.is_empty() {
            symbol.dims = dimensions(&tree, position);
        }
        set(symbol, attribute);
    }
}

/// `operator(+)`, `assignment(=)`
fn is_generic_spec(text: &str) -> bool {
    text.ends_with(')') && (text.starts_with("operator(") || text.starts_with("assignment("))
}

fn set(symbol: &mut Symbol, attribute: Attribute) {
    match attribute {
        Attribute::Allocatable => symbol.is_allocatable = true,
        Attribute::External => symbol.is_external = true,
        Attribute::Intrinsic => symbol.is_intrinsic = true,
        Attribute::Optional => symbol.is_optional = true,
        Attribute::Pointer => symbol.is_pointer = true,
        Attribute::Private => symbol.is_private = Some(true),
        Attribute::Public => symbol.is_private = Some(false),
        Attribute::Protected => symbol.is_protected = true,
        Attribute::Save => symbol.is_saved = true,
        Attribute::Target => symbol.is_target = true,
        Attribute::Value => symbol.is_value = true,
        Attribute::Contiguous | Attribute::Dimension => {}
    }
}
