//! Where decisions come from.

/// Bytes that are used up one per decision.
pub(super) struct Choices {
    bytes: Vec<u8>,
    next: usize,
}

impl Choices {
    pub fn new(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.to_vec(),
            next: 0,
        }
    }

    /// A number below `count`; zero once the bytes are used up.
    pub fn below(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        usize::from(byte) % count
    }

    /// Whether decisions are left.
    pub fn is_empty(&self) -> bool {
        self.next >= self.bytes.len()
    }
}

/// A sequence of well mixed numbers: Weyl's sequence through a bijective mixer (the constants are
/// those of the SplitMix generator, G. Steele, D. Lea, C. Flood, 2014).
pub(super) struct Sequence(u64);

impl Sequence {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
