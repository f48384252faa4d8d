//! Tells when files change on disk. By looking at them from time to time: that works on every
//! system and on network drives, and for one file costs nothing.

use super::{Dialog, FileEvent, Files, Purpose, Question, Tell, file_name};
use crate::editor::Editor;
use crate::write_file::FileStamp;
use std::io;
use std::path::{Path, PathBuf};
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
    /// Watches files that are known to be so. With this number it is told, once nothing has happened
    /// for a period and so nobody is writing: a change as [`FileEvent::Changed`], that files have gone
    /// as [`FileEvent::Gone`], and that they are there again as they were as [`FileEvent::Back`].
    pub(super) fn start(
        number: u64,
        files: Vec<(PathBuf, FileStamp)>,
        period: Duration,
        tell: &Tell,
    ) -> io::Result<Self> {
        let (end, ended) = mpsc::channel::<()>();
        let tell = tell.clone();
        thread::Builder::new().name("watch".to_owned()).spawn(move || {
            let (paths, known): (Vec<PathBuf>, Vec<FileStamp>) = files.into_iter().unzip();
            let mut seen = Seen::new(known);
            while ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                match seen.news(paths.iter().map(|path| FileStamp::of(path)).collect()) {
                    None => {}
                    Some(News::Changed) => tell(FileEvent::Changed(number)),
                    Some(News::Back) => tell(FileEvent::Back(number)),
                    Some(News::Gone(gone)) => {
                        let gone = gone.into_iter().map(|file| paths[file].clone()).collect();
                        tell(FileEvent::Gone(number, gone));
                    }
                }
            }
        })?;
        Ok(Self { number, _end: end })
    }
}

impl Files {
    pub(super) fn is_watched(&self, number: u64) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.number == number)
    }

    /// Files of the scene are no longer there.
    pub(super) fn gone(&mut self, files: &[PathBuf], editor: &mut Editor) {
        let is_own = files.iter().any(|file| self.path() == Some(file));
        self.is_only_here |= is_own;
        let names: Vec<String> = files.iter().map(|file| file_name(file)).collect();
        editor.say(match is_own {
            true => format!("{} is no longer on disk; saving writes it again", self.name()),
            false => format!("{}, which {} needs, is no longer on disk", names.join(", "), self.name()),
        });
    }

    /// They are there again, and as they were.
    pub(super) fn back(&mut self, editor: &mut Editor) {
        // As it was may be as another program has made it.
        self.is_only_here = self.open.as_ref().is_some_and(|open| open.disk != FileStamp::of(&open.path));
        editor.say(format!("{} is there again, as it was", self.name()));
    }

    /// To be called now and then: a change of the file waits while the person does something.
    pub(crate) fn look_after(&mut self, editor: &mut Editor) {
        let is_idle = self.loading.is_none() && self.arrived.is_none();
        if !self.has_changed || !is_idle || !self.is_free(editor) {
            return;
        }
        (self.has_changed, self.is_only_here) = (false, false);
        let Some(path) = self.path().map(Path::to_owned) else { return };
        match editor.is_saved() {
            true => self.load(path, Purpose::Reload, editor),
            false => self.dialog = Some(Dialog::Question(Question::ReloadOver)),
        }
    }
}

/// What was seen of the files.
struct Seen {
    /// As they are known to be.
    known: Vec<FileStamp>,
    /// At the last look.
    last: Vec<FileStamp>,
    /// Which of them are known to have gone, in order.
    gone: Vec<usize>,
}

/// What is worth telling.
#[derive(Debug, PartialEq, Eq)]
enum News {
    /// Files are other ones, and all are there that were before.
    Changed,
    /// These are no longer there.
    Gone(Vec<usize>),
    /// What was gone is there again, and as it was.
    Back,
}

impl Seen {
    fn new(known: Vec<FileStamp>) -> Self {
        Self { last: known.clone(), known, gone: Vec::new() }
    }

    /// What has come to its end: the files are as they were at the last look. A program that saves
    /// may take a file away before it writes it again.
    fn news(&mut self, now: Vec<FileStamp>) -> Option<News> {
        let is_over = now == self.last;
        self.last.clone_from(&now);
        if !is_over {
            return None;
        }
        let pairs = self.known.iter().zip(&now).enumerate();
        let has_gone = pairs.filter(|(_, (known, now))| known.is_there() && !now.is_there());
        let gone: Vec<usize> = has_gone.map(|(file, _)| file).collect();
        if !gone.is_empty() {
            let is_news = gone != self.gone;
            self.gone.clone_from(&gone);
            return is_news.then_some(News::Gone(gone));
        }
        let was_gone = !std::mem::take(&mut self.gone).is_empty();
        if now != self.known {
            self.known = now;
            return Some(News::Changed);
        }
        was_gone.then_some(News::Back)
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
        let states: Vec<FileStamp> = (0..5)
            .map(|length| {
                fs::write(&path, vec![b'x'; length]).expect("ours");
                FileStamp::of(&path)
            })
            .collect();
        fs::remove_file(&path).expect("there");
        let gone = FileStamp::of(&path);
        let mut seen = Seen::new(vec![states[0]]);
        // As a program that saves: gone, then back, then longer and longer.
        let looks = [states[0], gone, states[1], states[2], states[3], states[3], states[3], states[4]];
        let news: Vec<Option<News>> = looks.iter().map(|disk| seen.news(vec![*disk])).collect();
        let changed = || Some(News::Changed);
        assert_eq!(news, [None, None, None, None, None, changed(), None, None]);
        assert_eq!(seen.news(vec![states[4]]), changed());
        let mut two = Seen::new(vec![states[0], states[1]]);
        assert_eq!(
            (two.news(vec![states[0], states[2]]), two.news(vec![states[0], states[2]])),
            (None, changed())
        );
        // One that was not there from the start: a picture, say, that the scene does without.
        let mut lacking = Seen::new(vec![states[0], gone]);
        assert_eq!(
            (lacking.news(vec![states[1], gone]), lacking.news(vec![states[1], gone])),
            (None, changed())
        );
        assert_eq!((lacking.news(vec![states[1]; 2]), lacking.news(vec![states[1]; 2])), (None, changed()));
    }

    #[test]
    fn files_that_have_gone_are_told_of_once_and_again_when_they_are_back() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a");
        let gone = FileStamp::of(&path);
        fs::write(&path, b"1").expect("ours");
        let there = FileStamp::of(&path);
        fs::write(&path, b"22").expect("ours");
        let other = FileStamp::of(&path);
        let mut seen = Seen::new(vec![there, other]);
        let mut told = |disks: [FileStamp; 2]| (seen.news(disks.to_vec()), seen.news(disks.to_vec()));
        assert_eq!(told([there, gone]), (None, Some(News::Gone(vec![1]))));
        assert_eq!(told([there, gone]), (None, None));
        assert_eq!(told([gone, gone]), (None, Some(News::Gone(vec![0, 1]))));
        assert_eq!(told([there, other]), (None, Some(News::Back)));
        assert_eq!(told([gone, other]), (None, Some(News::Gone(vec![0]))));
        assert_eq!(told([other, other]), (None, Some(News::Changed)));
    }

    #[test]
    fn the_thread_tells_of_a_change_and_ends_when_nobody_asks() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a");
        fs::write(&path, b"1").expect("ours");
        let (sender, told) = mpsc::channel();
        let tell: Tell = Arc::new(move |event| drop(sender.send(format!("{event:?}"))));
        let known = FileStamp::of(&path);
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
