//! Tells when files change on disk. By looking at them from time to time: that works on every
//! system and on network drives, and for one file costs nothing.

use super::{FileEvent, Tell};
use crate::write_file::Disk;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// Between two looks.
pub(super) const PERIOD: Duration = Duration::from_secs(1);

/// Files being watched. Dropped, they are no longer.
pub(super) struct Watch {
    pub(super) number: u64,
    /// Closed when this is dropped, which the thread hears at once.
    _end: Sender<()>,
}

impl Watch {
    /// Watches files that are known to be so. A change is told as [`FileEvent::Changed`] with this
    /// number, once all are there and none has changed for a period: nobody is writing them.
    pub(super) fn start(
        number: u64,
        files: Vec<(PathBuf, Disk)>,
        period: Duration,
        tell: &Tell,
    ) -> io::Result<Self> {
        let (end, ended) = mpsc::channel::<()>();
        let tell = tell.clone();
        thread::Builder::new().name("watch".to_owned()).spawn(move || {
            let (paths, known): (Vec<PathBuf>, Vec<Disk>) = files.into_iter().unzip();
            let mut seen = Seen::new(known);
            while ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                if seen.is_changed(paths.iter().map(|path| Disk::of(path)).collect()) {
                    tell(FileEvent::Changed(number));
                }
            }
        })?;
        Ok(Self { number, _end: end })
    }
}

/// What was seen of the files.
struct Seen {
    /// As they are known to be.
    known: Vec<Disk>,
    /// At the last look.
    last: Vec<Disk>,
}

impl Seen {
    fn new(known: Vec<Disk>) -> Self {
        Self { last: known.clone(), known }
    }

    /// Whether a change has come to its end: all are there, and as they were at the last look.
    fn is_changed(&mut self, now: Vec<Disk>) -> bool {
        let is_over = now != self.known && now == self.last && now.iter().all(|disk| disk.is_there());
        if is_over {
            self.known.clone_from(&now);
        }
        self.last = now;
        is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::Arc;

    #[test]
    fn a_change_counts_once_and_when_it_is_over() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a");
        let states: Vec<Disk> = (0..5)
            .map(|length| {
                fs::write(&path, vec![b'x'; length]).expect("ours");
                Disk::of(&path)
            })
            .collect();
        fs::remove_file(&path).expect("there");
        let gone = Disk::of(&path);
        let mut seen = Seen::new(vec![states[0]]);
        // As a program that saves: gone, then back, then longer and longer.
        let looks = [states[0], gone, gone, states[1], states[2], states[3], states[3], states[3], states[4]];
        let changes: Vec<bool> = looks.iter().map(|disk| seen.is_changed(vec![*disk])).collect();
        assert_eq!(changes, [false, false, false, false, false, false, true, false, false]);
        assert!(seen.is_changed(vec![states[4]]));
        let mut two = Seen::new(vec![states[0], states[1]]);
        assert!(!two.is_changed(vec![states[0], gone]) && !two.is_changed(vec![states[0], gone]));
        assert!(!two.is_changed(vec![states[0], states[2]]) && two.is_changed(vec![states[0], states[2]]));
    }

    #[test]
    fn the_thread_tells_of_a_change_and_ends_when_nobody_asks() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a");
        fs::write(&path, b"1").expect("ours");
        let (sender, told) = mpsc::channel();
        let tell: Tell = Arc::new(move |event| drop(sender.send(format!("{event:?}"))));
        let known = Disk::of(&path);
        let watch = Watch::start(7, vec![(path.clone(), known)], Duration::from_millis(20), &tell);
        drop(tell);
        fs::write(&path, b"another length").expect("ours");
        assert_eq!(told.recv_timeout(Duration::from_secs(60)).as_deref(), Ok("Changed(7)"));
        drop(watch);
        // The thread has the last sender.
        assert!(
            told.recv_timeout(Duration::from_secs(60))
                .is_err_and(|error| error == RecvTimeoutError::Disconnected)
        );
    }
}
