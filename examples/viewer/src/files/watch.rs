//! Watches files for changes on disk. It polls them, which works on every system and on network drives and is
//! cheap for a few files.

use super::{DiskChange, FileEvent, Notify};
use gltf_io::write_file::FileStamp;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// Interval between two polls, which is shorter in tests.
pub(super) const PERIOD: Duration = Duration::from_millis(if cfg!(test) { 100 } else { 1000 });

/// Files that are being watched. Dropping it ends the thread.
pub(super) struct Watch {
    pub(super) number: u64,
    /// Disconnects when this is dropped, which wakes and ends the thread.
    _end: Sender<()>,
}

impl Watch {
    /// Watches files for changes from their known state. Once nothing has changed for a period, so that
    /// nobody is writing, it sends a [`FileEvent::Disk`] with this number.
    pub(super) fn start(
        number: u64,
        files: Vec<(PathBuf, FileStamp)>,
        period: Duration,
        notify: &Notify,
    ) -> io::Result<Self> {
        let (end, ended) = mpsc::channel::<()>();
        let notify = notify.clone();
        thread::Builder::new().name("watch".to_owned()).spawn(move || {
            let (paths, mut read): (Vec<PathBuf>, Vec<FileStamp>) = files.into_iter().unzip();
            let mut observed = Observed::new(paths, read.clone());
            while ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                let now = observed.paths.iter().map(|path| FileStamp::of(path)).collect();
                let Some(mut change) = observed.poll(now) else { continue };
                if change == DiskChange::Changed
                    && let Some(touched) = touched(&observed.paths, &read)
                {
                    read = touched;
                    change = DiskChange::Touched(read[0]);
                }
                notify(FileEvent::Disk(number, change));
            }
        })?;
        Ok(Self { number, _end: end })
    }
}

/// Returns the current stamps of files if none of them has other contents than when it was read.
fn touched(paths: &[PathBuf], read: &[FileStamp]) -> Option<Vec<FileStamp>> {
    let touched = |(path, read): (&PathBuf, &FileStamp)| match FileStamp::of(path) == *read {
        true => Some(*read),
        false => read.refreshed(path),
    };
    let touched: Option<Vec<FileStamp>> = paths.iter().zip(read).map(touched).collect();
    touched.filter(|touched| !touched.is_empty())
}

/// The observed states of the files.
struct Observed {
    paths: Vec<PathBuf>,
    /// The states that were last reported.
    known: Vec<FileStamp>,
    /// The states at the last poll.
    last: Vec<FileStamp>,
    /// The files that were reported as deleted.
    gone: Vec<PathBuf>,
}

impl Observed {
    fn new(paths: Vec<PathBuf>, known: Vec<FileStamp>) -> Self {
        Self { paths, last: known.clone(), known, gone: Vec::new() }
    }

    /// Takes the states of a poll. Returns a change once it is complete, that is, if the files are as they
    /// were at the last poll: a program that saves may delete a file before it writes it again.
    fn poll(&mut self, now: Vec<FileStamp>) -> Option<DiskChange> {
        let is_stable = now == self.last;
        self.last.clone_from(&now);
        if !is_stable {
            return None;
        }
        let states = self.paths.iter().zip(self.known.iter().zip(&now));
        let deleted = states.filter(|(_, (known, now))| known.exists() && !now.exists());
        let gone: Vec<PathBuf> = deleted.map(|(path, _)| path.clone()).collect();
        if !gone.is_empty() {
            let is_news = gone != self.gone;
            self.gone.clone_from(&gone);
            return is_news.then_some(DiskChange::Gone(gone));
        }
        let was_gone = !std::mem::take(&mut self.gone).is_empty();
        if now != self.known {
            self.known = now;
            return Some(DiskChange::Changed);
        }
        was_gone.then_some(DiskChange::Back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::Arc;

    fn two_paths() -> Vec<PathBuf> {
        ["a", "b"].map(PathBuf::from).to_vec()
    }

    #[test]
    fn change_is_reported_once_when_complete() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a");
        let states: Vec<FileStamp> = (0..5)
            .map(|length| {
                fs::write(&path, vec![b'x'; length]).expect("the temporary folder can be written");
                FileStamp::of(&path)
            })
            .collect();
        fs::remove_file(&path).expect("the file exists");
        let gone = FileStamp::of(&path);
        let mut observed = Observed::new(vec![path], vec![states[0]]);
        // Like a program that saves: deleted, then back, then growing.
        let looks = [states[0], gone, states[1], states[2], states[3], states[3], states[3], states[4]];
        let changes: Vec<Option<DiskChange>> = looks.iter().map(|disk| observed.poll(vec![*disk])).collect();
        let changed = || Some(DiskChange::Changed);
        assert_eq!(changes, [None, None, None, None, None, changed(), None, None]);
        assert_eq!(observed.poll(vec![states[4]]), changed());
        let mut two = Observed::new(two_paths(), vec![states[0], states[1]]);
        assert_eq!(
            (two.poll(vec![states[0], states[2]]), two.poll(vec![states[0], states[2]])),
            (None, changed())
        );
        // A file that was missing from the start, such as an optional image.
        let mut lacking = Observed::new(two_paths(), vec![states[0], gone]);
        assert_eq!(
            (lacking.poll(vec![states[1], gone]), lacking.poll(vec![states[1], gone])),
            (None, changed())
        );
        assert_eq!((lacking.poll(vec![states[1]; 2]), lacking.poll(vec![states[1]; 2])), (None, changed()));
    }

    #[test]
    fn deletion_and_return_are_each_reported_once() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a");
        let gone = FileStamp::of(&path);
        fs::write(&path, b"1").expect("the temporary folder can be written");
        let there = FileStamp::of(&path);
        fs::write(&path, b"22").expect("the temporary folder can be written");
        let other = FileStamp::of(&path);
        let mut observed = Observed::new(two_paths(), vec![there, other]);
        let gone_files = |names: &[&str]| DiskChange::Gone(names.iter().map(PathBuf::from).collect());
        let mut poll_twice =
            |disks: [FileStamp; 2]| (observed.poll(disks.to_vec()), observed.poll(disks.to_vec()));
        assert_eq!(poll_twice([there, gone]), (None, Some(gone_files(&["b"]))));
        assert_eq!(poll_twice([there, gone]), (None, None));
        assert_eq!(poll_twice([gone, gone]), (None, Some(gone_files(&["a", "b"]))));
        assert_eq!(poll_twice([there, other]), (None, Some(DiskChange::Back)));
        assert_eq!(poll_twice([gone, other]), (None, Some(gone_files(&["a"]))));
        assert_eq!(poll_twice([other, other]), (None, Some(DiskChange::Changed)));
    }

    #[test]
    fn watch_thread_reports_change_and_ends_on_drop() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a");
        fs::write(&path, b"1").expect("the temporary folder can be written");
        let (sender, received) = mpsc::channel();
        let notify: Notify = Arc::new(move |event| drop(sender.send(format!("{event:?}"))));
        let known = FileStamp::of(&path);
        let watch = Watch::start(7, vec![(path.clone(), known)], Duration::from_millis(20), &notify);
        drop(notify);
        fs::write(&path, b"another length").expect("the temporary folder can be written");
        assert_eq!(received.recv_timeout(Duration::from_secs(60)).as_deref(), Ok("Disk(7, Changed)"));
        drop(watch);
        // The thread held the last sender.
        assert!(
            received
                .recv_timeout(Duration::from_secs(60))
                .is_err_and(|error| error == RecvTimeoutError::Disconnected)
        );
    }
}
