//! The frames that a viewer draws, as it prints them.

use super::*;
use std::io::{BufRead, BufReader};
use std::process::ChildStdout;

/// The number of frames that a viewer has drawn, and the viewport of the last one.
pub(crate) struct Frames(Arc<Mutex<(usize, [u32; 4])>>);

impl Frames {
    /// Reads what a viewer prints until it ends.
    pub(crate) fn of(output: ChildStdout) -> Self {
        let frames = Self(Arc::new(Mutex::new((0, [0; 4]))));
        let last = frames.0.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let Some(viewport) = line.strip_prefix("frame ") else { continue };
                let numbers = viewport.split(' ').filter_map(|number| number.parse::<f64>().ok());
                let numbers: Vec<u32> = numbers.map(|number| number.round() as u32).collect();
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                *last = (last.0 + 1, numbers.try_into().expect("a viewport has four numbers"));
            }
        });
        frames
    }

    pub(crate) fn count(&self) -> usize {
        self.last().0
    }

    /// Returns the part of the window that shows the scene: x, y, width and height.
    pub(crate) fn viewport(&self) -> [u32; 4] {
        self.last().1
    }

    fn last(&self) -> (usize, [u32; 4]) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
