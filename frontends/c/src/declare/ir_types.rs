//! How C's types become the IR's.

use super::{ArrayExtent, CType, Unit, spelled};
use contraflow_ir::{Allocation, Field, Pointer, PointerId, Record, RecordId, Type};

impl<'a> Unit<'a> {
    /// `(lower, extent)` per dimension, fastest first.
    pub fn fixed_shape(&self, ty: &CType<'a>) -> Vec<(i64, Option<i64>)> {
        let mut shape: Vec<_> = ty
            .extents()
            .into_iter()
            .map(|extent| match extent {
                ArrayExtent::Constant(count) => (0, Some(count)),
                _ => (0, None),
            })
            .collect();
        shape.reverse();
        shape
    }

    /// Whether `ty` is a pointer to something whose type the IR knows.
    pub fn is_typed_pointer(&mut self, ty: &CType<'a>) -> bool {
        match ty {
            CType::Pointer { target, .. } => match &**target {
                CType::Pointer { .. } => true,
                target => !matches!(
                    self.ir_type(target),
                    Type::Void | Type::Unknown | Type::Procedure
                ),
            },
            _ => false,
        }
    }

    /// The IR's type of a value of type `ty`; of an array: of its element.
    pub fn ir_type(&mut self, ty: &CType<'a>) -> Type {
        match ty {
            CType::Void => Type::Void,
            CType::Scalar(scalar) => *scalar,
            CType::Record(index) => match self.record_id(*index) {
                Some(id) => Type::Record(id),
                None => Type::Unknown,
            },
            CType::Array { element, .. } => self.ir_type(element),
            CType::Pointer { target, .. } => match self.ir_type(target) {
                Type::Void | Type::Unknown => Type::Address,
                Type::Procedure => Type::Procedure,
                target => Type::Pointer(self.pointer_id(target, String::new())),
            },
            CType::Function(_) => Type::Procedure,
            CType::Unknown => Type::Unknown,
        }
    }

    /// How a number or struct is spelt.
    pub fn spelling_of(&self, ty: &CType<'a>) -> Option<String> {
        let text = match ty {
            CType::Scalar(Type::REAL8) => "double",
            CType::Scalar(Type::REAL4) => "float",
            CType::Scalar(Type::INT) => "int",
            CType::Scalar(Type::LONG) => "long",
            CType::Record(index) => self.records.get(*index)?.name.as_str(),
            _ => return None,
        };
        spelled(text)
    }

    fn pointer_id(&mut self, target: Type, spelling: String) -> PointerId {
        let module = &mut self.module;
        *self
            .pointer_ids
            .entry((target, spelling))
            .or_insert_with_key(|(target, spelling)| {
                module.pointers.add(Pointer {
                    target: *target,
                    spelling: spelled(spelling),
                })
            })
    }

    /// The IR's record of a struct or union; `None` while its members are not known.
    fn record_id(&mut self, index: usize) -> Option<RecordId> {
        if let Some(&id) = self.record_ids.get(&index) {
            return Some(id);
        }
        let definition = self.records.get(index)?;
        if !definition.is_complete {
            return None;
        }
        let definition = definition.clone();
        let id = self.module.records.add(Record {
            name: definition.name,
            span: definition.span,
            container: Some(self.container),
            fields: Vec::new(),
            is_union: definition.is_union,
            is_abstract: false,
            has_final: false,
            is_private: false,
            local: definition.local,
        });
        self.record_ids.insert(index, id);
        // What only the system's library uses is nobody's memory.
        let is_systems = !definition.span.is_some();
        let fields = definition
            .fields
            .iter()
            .filter(|field| !(is_systems && field.name.starts_with('_')))
            .map(|field| Field {
                name: field.name.clone(),
                ty: self.ir_type(field.ty.element()),
                spelling: spelled(&field.spelling),
                shape: self.fixed_shape(&field.ty),
                allocation: Allocation::Fixed,
                read_only: matches!(
                    field.ty,
                    CType::Pointer {
                        read_only: true,
                        ..
                    }
                ),
                is_private: false,
                variant_of: None,
            })
            .collect();
        self.module.records[id].fields = fields;
        Some(id)
    }
}
