//! How many bytes a value takes in memory.

use contraflow_ir::{Allocation, Field, Module, Type};

use super::cost::width;

/// What compilers keep beside the address of an array that is allocated or pointed to, and for each of its
/// dimensions.
const DESCRIPTOR: f64 = 40.0;
const DIMENSION: f64 = 24.0;

/// Bytes of one element, a record with the gaps that compilers leave between its components.
pub fn size_of(module: &Module, ty: Type) -> f64 {
    layout(module, ty).0
}

/// The size and the alignment of a type.
fn layout(module: &Module, ty: Type) -> (f64, f64) {
    let Type::Record(record) = ty else {
        let alignment = match ty {
            Type::Complex { bytes } => f64::from(bytes),
            Type::Character => 1.0,
            _ => width(ty),
        };
        return (width(ty), alignment.max(1.0));
    };
    let (mut end, mut widest) = (0.0f64, 1.0f64);
    for field in &module.records[record].fields {
        let (size, alignment) = component(module, field);
        end = up_to(end, alignment) + size;
        widest = widest.max(alignment);
    }
    (up_to(end, widest), widest)
}

fn component(module: &Module, field: &Field) -> (f64, f64) {
    let is_inside = field.allocation == Allocation::Fixed;
    let counts: Option<f64> = field
        .shape
        .iter()
        .map(|&(_, count)| count.map(|count| count as f64))
        .product();
    match counts.filter(|_| is_inside) {
        Some(count) => {
            let (size, alignment) = layout(module, field.ty);
            (count * size, alignment)
        }
        None if field.shape.is_empty() => (8.0, 8.0),
        None => (DESCRIPTOR + DIMENSION * field.shape.len() as f64, 8.0),
    }
}

fn up_to(bytes: f64, alignment: f64) -> f64 {
    (bytes / alignment).ceil() * alignment
}
