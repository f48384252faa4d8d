//! A budget for the memory and the work of one load. Every allocation whose size depends on a file is charged
//! first, so a small file cannot use an unbounded amount.

use crate::file_error::Result;
use crate::json::Json;
use std::cell::Cell;

/// The memory that every file may use, in addition to its own size.
const MIN_MEMORY: u64 = 1_000_000_000;
/// The maximum memory of any file.
const MAX_MEMORY: u64 = 4_000_000_000;
/// Bytes of memory per byte of the files.
const MEMORY_PER_BYTE: u64 = 40;
/// The texels that every file may decode, and the texels per byte of the files. A photograph has about ten
/// per byte.
const MIN_TEXELS: u64 = 1 << 28;
const TEXELS_PER_BYTE: u64 = 64;
/// Maximum number of images and buffers of a file, each of which can be a file to look for.
const MAX_IMAGES: u64 = 1 << 16;
/// Maximum number of nodes of a file.
const MAX_NODES: u64 = 1 << 20;
/// Maximum number of bytes in the names of a file.
const MAX_TEXT: u64 = 1 << 26;

/// A resource that is charged to a [`Budget`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Charge {
    /// Bytes of memory.
    Memory,
    /// Decoded texels of images.
    Texels,
    /// Images and buffers.
    Images,
    /// Nodes.
    Nodes,
    /// Bytes of names.
    Text,
}

/// The budget of one load, shared by all of its readers.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Bytes of the files that were read so far.
    file_bytes: Cell<u64>,
    used: [Cell<u64>; 5],
}

/// Memory that is in use until this is dropped.
#[derive(Debug)]
pub(crate) struct Scratch<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        let used = &self.budget.used[Charge::Memory as usize];
        used.set(used.get().saturating_sub(self.bytes));
    }
}

impl Budget {
    /// Returns the budget of a file of this size.
    pub(crate) fn new(file_bytes: u64) -> Self {
        Self { file_bytes: Cell::new(file_bytes), used: Default::default() }
    }

    /// Counts another file that belongs to the scene.
    pub(crate) fn add_file(&self, bytes: u64) {
        self.file_bytes.set(self.file_bytes.get().saturating_add(bytes));
    }

    /// Returns the maximum of a resource, and the unit in which an error names it, with its size.
    fn max(&self, charge: Charge) -> (u64, &'static str, u64) {
        let bytes = self.file_bytes.get();
        let memory = bytes.saturating_mul(MEMORY_PER_BYTE).clamp(MIN_MEMORY, MAX_MEMORY);
        let texels = bytes.saturating_mul(TEXELS_PER_BYTE).saturating_add(MIN_TEXELS);
        match charge {
            Charge::Memory => (memory, "MB of memory", 1_000_000),
            Charge::Texels => (texels, "million pixels of images", 1_000_000),
            Charge::Images => (MAX_IMAGES, "images and buffers", 1),
            Charge::Nodes => (MAX_NODES, "nodes", 1),
            Charge::Text => (MAX_TEXT, "MB of names", 1_000_000),
        }
    }

    /// Returns the amount that is left.
    pub(crate) fn left(&self, charge: Charge) -> u64 {
        self.max(charge).0.saturating_sub(self.used[charge as usize].get())
    }

    /// Charges an amount that the value `at` needs for the rest of the load. Must be called before it is allocated.
    pub(crate) fn charge(&self, charge: Charge, amount: u64, at: &Json<'_>) -> Result<()> {
        self.try_charge(charge, amount).map_err(|what| at.error(what))
    }

    /// Like [`Budget::charge`], with the error as a phrase.
    pub(crate) fn try_charge(&self, charge: Charge, amount: u64) -> Result<(), String> {
        let (used, (max, unit, scale)) = (&self.used[charge as usize], self.max(charge));
        let sum = used.get().saturating_add(amount);
        if sum > max {
            let (used, max) = (sum.div_ceil(scale), max / scale);
            return Err(format!(
                "too large: {used} {unit} needed, but files of this size may take only {max}"
            ));
        }
        used.set(sum);
        Ok(())
    }

    /// Charges memory that the value `at` needs until the result is dropped.
    pub(crate) fn scratch(&self, bytes: u64, at: &Json<'_>) -> Result<Scratch<'_>> {
        self.charge(Charge::Memory, bytes, at)?;
        Ok(Scratch { budget: self, bytes })
    }
}

/// Returns an upper bound of the memory that a parsed document takes, found without parsing it. Punctuation within
/// strings is counted as if it were outside.
pub(crate) fn document_bytes(text: &[u8]) -> u64 {
    /// The smallest allocation of each container, as `serde_json` and the allocator have them: a list grows from
    /// four values, and the leaf of a map has room for eleven members.
    const VALUE: u64 = 32;
    const LIST: u64 = 4 * VALUE + 16;
    const LEAF: u64 = 664;
    const STRING: u64 = 32;
    /// The capacity of a list is doubled, but the system provides pages only when they are written.
    const NEXT_VALUE: u64 = VALUE + VALUE / 2;
    /// Leaves have at least five members, whose values the commas count.
    const MEMBER: u64 = LEAF / 5 - NEXT_VALUE;
    let mut bytes = VALUE + text.len() as u64;
    let mut last = b' ';
    for &byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        bytes += match (last, byte) {
            (b'[', b']') | (b'{', b'}') => 0,
            (b'[', _) => LIST,
            (b'{', _) => LEAF,
            _ => 0,
        };
        bytes += match byte {
            b',' => NEXT_VALUE,
            b':' => MEMBER,
            b'"' => STRING / 2,
            _ => 0,
        };
        last = byte;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_is_shared_and_scratch_is_returned() {
        let budget = Budget::new(100);
        {
            let _scratch = budget
                .scratch(MIN_MEMORY, &Json::root(&serde_json::Value::Null))
                .expect("the budget allows it");
            let spent = budget.try_charge(Charge::Memory, 1).expect_err("the budget is spent");
            assert_eq!(
                spent,
                "too large: 1001 MB of memory needed, but files of this size may take only 1000"
            );
        }
        assert_eq!(budget.try_charge(Charge::Memory, MIN_MEMORY), Ok(()));
        assert!(budget.try_charge(Charge::Nodes, MAX_NODES + 1).is_err());
        assert!(budget.try_charge(Charge::Nodes, u64::MAX).is_err());
        budget.add_file(MIN_MEMORY);
        assert_eq!(budget.try_charge(Charge::Memory, MAX_MEMORY - MIN_MEMORY), Ok(()));
        assert!(budget.try_charge(Charge::Memory, 1).is_err());
    }

    /// Returns the heap memory of a value, as the allocator of most systems rounds it.
    fn heap_bytes(value: &serde_json::Value) -> u64 {
        use serde_json::Value;
        let text = |text: &str| if text.is_empty() { 0 } else { (text.len() as u64 + 8).max(24) };
        match value {
            Value::String(value) => text(value),
            Value::Array(values) => 32 * values.len() as u64 + values.iter().map(heap_bytes).sum::<u64>(),
            Value::Object(values) => {
                let own = values.iter().map(|(key, value)| text(key) + heap_bytes(value)).sum::<u64>();
                640 * (values.len() as u64).div_ceil(11) + own
            }
            _ => 0,
        }
    }

    #[test]
    fn document_bytes_are_bound_from_text() {
        let many = (0..500).map(|i| format!("\"k{i}\": [{i}, {{}}]")).collect::<Vec<_>>().join(",");
        for text in [
            "{}".to_owned(),
            "[[],[],{},{\"a\":1}]".to_owned(),
            format!("[{}1]", "{\"a\":0},".repeat(1000)),
            format!("[{}1]", "{},".repeat(1000)),
            format!("{{{many}}}"),
            r#"{"a\"}]":"\\","b":["{[",null,true,-1.5e3]}"#.to_owned(),
        ] {
            let value = serde_json::from_str(&text).expect("the text is JSON");
            let (bound, used) = (document_bytes(text.as_bytes()), heap_bytes(&value) + 32);
            assert!(bound >= used && bound <= 3 * used + 1000, "{used} {bound} {text:.80}");
        }
    }
}
