use crate::draw::DepthStyle;
use std::ops::Range;

/// Draw calls in the order of painting: neighbors of one style are one call.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// The style and the end of each call's indices or records.
    ends: Vec<(DepthStyle, u32)>,
}

impl Runs {
    pub(crate) fn clear(&mut self) {
        self.ends.clear();
    }

    /// Adds what was appended up to `end`, if that is anything.
    pub(crate) fn add(&mut self, style: DepthStyle, end: usize) {
        let end = end as u32;
        let is_new = end > self.ends.last().map_or(0, |(_, end)| *end);
        match self.ends.last_mut() {
            Some((last, last_end)) if *last == style => *last_end = end,
            _ if is_new => self.ends.push((style, end)),
            _ => {}
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (DepthStyle, Range<u32>)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(_, end)| *end));
        starts.zip(&self.ends).map(|(start, (style, end))| (*style, start..*end))
    }
}
