//! What counts the bytes that derived procedures keep on tapes and in snapshots.

/// Where they are counted, and how many there may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    /// The module, or what the functions and their file are named after.
    pub name: String,
    /// The program ends before more bytes than this are kept.
    pub limit: Option<Limit>,
}

/// The most that may be kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Bytes.
    pub bytes: u64,
    /// The derived procedure that is named in the message.
    pub head: String,
}

impl Limit {
    /// What the program says before it ends; the number of bytes follows.
    pub fn message(&self) -> String {
        let Self { bytes, head } = self;
        format!("{head} may keep {bytes} bytes; bytes that it needs at least: ")
    }
}

/// One of how many parts of the memory that is left a new chunk of a tape takes at most: so many tapes can
/// grow side by side until nearly all is used.
pub const PARTS: u64 = 16;
