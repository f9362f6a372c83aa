//! The parsers of a run. A parser remembers the forms that it has seen, so it is handed from one
//! file to the next instead of being made anew.

use super::Parser;
use std::sync::Mutex;

/// As many parsers as threads parse at a time.
#[derive(Default)]
pub struct Parsers {
    idle: Mutex<Vec<Parser>>,
}

impl Parsers {
    /// Lends a parser.
    pub fn with<T>(&self, f: impl FnOnce(&mut Parser) -> T) -> T {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut parser = idle.unwrap_or_default();
        let result = f(&mut parser);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(parser);
        }
        result
    }
}
