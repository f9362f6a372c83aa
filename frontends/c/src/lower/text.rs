//! Strings as values of arrays of characters: `char s[8] = "abc"`, `memcpy(s, "abc", 4)`.

use super::{Body, Lowered, Place, Value};
use crate::cst::{CallExpression, Expression, Node};
use crate::declare::{ArrayExtent, CType};
use contraflow_ir::Type;

/// Longer strings are not set character by character.
const LONGEST_TEXT: usize = 64;

impl<'u, 'a> Body<'u, 'a> {
    /// The bytes of a string literal, without the null at its end.
    pub fn literal_bytes(node: &Node<Expression>) -> Option<Vec<u8>> {
        match &node.node {
            Expression::StringLiteral(pieces) => {
                let mut all = Vec::new();
                for piece in &pieces.node {
                    all.extend(unescaped(piece.strip_prefix('"')?.strip_suffix('"')?)?);
                }
                Some(all)
            }
            _ => None,
        }
    }

    /// Gives an array of characters the value of a string, the rest of it zero.
    pub fn store_text(&mut self, place: &Place<'a>, text: &[u8]) -> Lowered<()> {
        let CType::Array {
            element,
            extent: ArrayExtent::Constant(length),
        } = &place.ty
        else {
            return self.unsupported("an array of characters with a string");
        };
        let length = usize::try_from(*length).unwrap_or(usize::MAX);
        let (Some(ty @ Type::Integer { bytes: 1, .. }), true) =
            (element.scalar(), length <= LONGEST_TEXT)
        else {
            return self.unsupported("an array of characters with a string");
        };
        for at in 0..length {
            let part = self.part(place, at as i64)?;
            let target = self.finished(part)?;
            let value = self.character(text.get(at).copied().unwrap_or(0), ty);
            self.assign(target, value);
        }
        Ok(())
    }

    /// `memcpy(s, "abc", 4)` and `strcpy(s, "abc")`; `None` if the source is no string or the number of
    /// characters is not stated.
    pub fn copy_text(&mut self, call: &'a CallExpression) -> Lowered<Option<()>> {
        let Some(text) = call.arguments.get(1).and_then(Self::literal_bytes) else {
            return Ok(None);
        };
        let count = match call.arguments.get(2) {
            Some(count) => self.unit.constant(count),
            None => Some(text.len() as i128 + 1),
        };
        let count = count.and_then(|count| usize::try_from(count).ok());
        let Some(count) = count.filter(|&it| it <= LONGEST_TEXT.min(text.len() + 1)) else {
            return Ok(None);
        };
        let Value::Pointer(to) = self.value(&call.arguments[0])? else {
            return Ok(None);
        };
        let Some(ty @ Type::Integer { bytes: 1, .. }) = to.target.scalar() else {
            return Ok(None);
        };
        for at in 0..count {
            let index = self.int(at as i128);
            let place = self.element(to.clone(), Some(index))?;
            let target = self.finished(place)?;
            let value = self.character(text.get(at).copied().unwrap_or(0), ty);
            self.assign(target, value);
        }
        Ok(Some(()))
    }

    fn character(&mut self, byte: u8, ty: Type) -> contraflow_ir::ExprId {
        let signed = matches!(ty, Type::Integer { signed: true, .. });
        let value = if signed {
            i128::from(byte as i8)
        } else {
            i128::from(byte)
        };
        self.builder().int_of(value, ty)
    }
}

/// The bytes that a string literal's text means; `None` for what only wide strings have.
fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes().peekable();
    let mut all = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            all.push(byte);
            continue;
        }
        all.push(match bytes.next()? {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' => 27,
            b'x' => {
                let mut value = 0u32;
                while let Some(digit) = bytes.peek().and_then(|&it| char::from(it).to_digit(16)) {
                    value = value * 16 % 256 + digit;
                    bytes.next();
                }
                u8::try_from(value % 256).ok()?
            }
            first @ b'0'..=b'7' => {
                let mut value = u32::from(first - b'0');
                for _ in 0..2 {
                    let Some(digit) = bytes.peek().and_then(|&it| char::from(it).to_digit(8))
                    else {
                        break;
                    };
                    value = value * 8 + digit;
                    bytes.next();
                }
                u8::try_from(value % 256).ok()?
            }
            b'u' | b'U' => return None,
            other => other,
        });
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn escapes_are_the_bytes_that_they_mean() {
        let bytes = unescaped(r#"a\n\\\"\x41\101\0b"#).unwrap();
        assert_eq!(bytes, b"a\n\\\"AA\0b");
        assert_eq!(unescaped(r"\u00e9"), None);
    }
}
