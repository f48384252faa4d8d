//! The recovery journal of the scene, and the offers to restore those of viewers that were killed.

use super::{Answer, Dialog, FileEvent, Files, PendingAction, Purpose, Question};
use crate::recovery::{Found, FoundJournal, Store, Writer};
use gltf_io::write_file::Fingerprint;
use gltf_io::{excerpt, readable};
use session::editor::{Editor, Restored};
use session::journal::{Journal, JournalFile, JournalHead};
use session::labels;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use web_time::Instant;

/// The pause after collecting the changes, relative to the time that it took, and its maximum.
const SHARE: u32 = 20;
const MAX_PAUSE: Duration = Duration::from_secs(2);

/// The journal of this viewer.
pub(super) struct Recovery {
    store: Store,
    writer: Writer,
    /// The state that was given to the writer last.
    written: Option<State>,
    /// The time before which no other state is collected, so that many changes take little time.
    next: Option<Instant>,
}

/// The state of the scene, as far as a journal depends on it.
#[derive(Debug, Clone, PartialEq)]
struct State {
    scene: u64,
    revision: u64,
    saved: Option<usize>,
    /// Changes with every file that is opened or saved.
    file: u64,
    is_only_copy: bool,
}

/// A journal that the user has chosen to restore.
pub(super) struct Restoring {
    found: FoundJournal,
    /// Whether its scene is shown.
    is_shown: bool,
}

/// A journal that the user is asked about.
#[derive(Debug)]
pub(crate) struct Offer {
    found: FoundJournal,
    file: FileState,
    /// Lines about journals that could not be read.
    remarks: Vec<String>,
}

/// The state of the file of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileState {
    /// Unchanged since the changes were made.
    Same,
    Changed,
    Missing,
    /// The whole scene is beside the journal.
    NotNeeded,
}

impl FileState {
    fn of(file: Option<&JournalFile>) -> Self {
        match file {
            Some(file) if !file.path.is_file() => Self::Missing,
            Some(file) if file.fingerprint.is_none() || Fingerprint::of(&file.path) != file.fingerprint => {
                Self::Changed
            }
            _ => Self::Same,
        }
    }
}

impl Offer {
    /// Returns the text of the question.
    pub(super) fn text(&self) -> String {
        let journal = &self.found.journal;
        let name = excerpt(&journal.head.scene);
        let changes = match self.file {
            FileState::NotNeeded => "the whole scene".to_owned(),
            _ => labels::count(journal.count(), "change"),
        };
        let mut text = format!("Recovered: {name}, {changes}, {}.", ago(journal.age(SystemTime::now())));
        text += match self.file {
            FileState::Same => "",
            FileState::NotNeeded => " It will be opened as a copy.",
            FileState::Changed => " The file was changed since then: what still fits will be restored.",
            FileState::Missing => " The file no longer exists.",
        };
        for remark in &self.remarks {
            text += &format!("\n{remark}");
        }
        text
    }

    /// Returns true if the file of the journal exists.
    pub(super) fn can_restore(&self) -> bool {
        self.file != FileState::Missing
    }
}

/// Returns how long ago something was.
fn ago(age: Duration) -> String {
    let seconds = usize::try_from(age.as_secs()).unwrap_or(usize::MAX);
    match seconds {
        0..60 => "less than a minute ago".to_owned(),
        60..3600 => format!("{} ago", labels::count(seconds / 60, "minute")),
        3600..86_400 => format!("{} ago", labels::count(seconds / 3600, "hour")),
        _ => format!("{} ago", labels::count(seconds / 86_400, "day")),
    }
}

/// Shows that the journal could not be written.
pub(super) fn journal_failed(why: &str, editor: &mut Editor) {
    let why = readable(why);
    editor.show_message(format!("Unsaved changes are not protected: {why}. Trying again."));
}

impl Files {
    /// Starts to keep a journal in a folder.
    pub(crate) fn start_recovery(&mut self, store: Store) {
        let notify = self.notify.clone();
        let on_failure = move |why| notify(FileEvent::JournalFailed(why));
        // Without a thread there is no journal, but everything else works.
        let Ok(writer) = Writer::start(store.clone(), Box::new(on_failure)) else { return };
        writer.register();
        self.recovery = Some(Recovery { store, writer, written: None, next: None });
    }

    /// Gives the current state to the journal, if it has changed. Returns the time at which to call this
    /// again, if it was too early.
    pub(crate) fn update_journal(&mut self, editor: &Editor) -> Option<Instant> {
        let recovery = self.recovery.as_ref()?;
        let now = Instant::now();
        if let Some(next) = recovery.next.filter(|next| *next > now) {
            return (recovery.written.as_ref() != Some(&self.journal_state(editor))).then_some(next);
        }
        self.collect_journal(editor);
        // Collecting takes a small part of the time.
        let pause = (SHARE * now.elapsed()).min(MAX_PAUSE);
        if let Some(recovery) = &mut self.recovery {
            recovery.next = Instant::now().checked_add(pause);
        }
        None
    }

    fn journal_state(&self, editor: &Editor) -> State {
        let history = editor.log();
        State {
            scene: self.scene,
            revision: history.revision(),
            saved: history.saved(),
            file: self.count,
            is_only_copy: self.file.is_only_copy,
        }
    }

    /// Gives the current state to the journal, if it has changed.
    fn collect_journal(&mut self, editor: &Editor) {
        let state = self.journal_state(editor);
        let Some(recovery) = self.recovery.as_mut().filter(|it| it.written.as_ref() != Some(&state)) else {
            return;
        };
        if editor.log().is_saved() && !self.file.is_only_copy {
            recovery.writer.clear();
        } else {
            let file = self.file.open.as_ref().map(|open| JournalFile {
                path: std::path::absolute(&open.path).unwrap_or_else(|_| open.path.clone()),
                fingerprint: open.disk.fingerprint(),
            });
            let head = JournalHead {
                scene: self.file.name(),
                file,
                viewer: env!("CARGO_PKG_VERSION").to_owned(),
                time: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
                is_whole: false,
            };
            let mut journal = Journal::of(editor, self.file.saved_indices.as_deref(), head);
            journal.head.is_whole = self.file.is_only_copy || !journal.unrestorable.is_empty();
            let scene = journal.head.is_whole.then(|| editor.scene().clone());
            recovery.writer.write(journal, scene);
        }
        recovery.written = Some(state);
    }

    /// Writes the journal now. Returns false if there is none, so that unsaved changes have to be kept in
    /// another way.
    pub(crate) fn flush_journal(&mut self, editor: &Editor) -> io::Result<bool> {
        self.collect_journal(editor);
        let Some(recovery) = &self.recovery else { return Ok(false) };
        recovery.writer.flush().map(|()| true)
    }

    /// Deletes the journal, because the user closes the window and has saved or discarded everything.
    pub(crate) fn finish_recovery(&mut self) {
        if let Some(recovery) = self.recovery.take() {
            recovery.writer.finish();
        }
    }

    /// Offers the journals of viewers that were killed, for any file.
    pub(crate) fn offer_all(&mut self) {
        self.offer(|_| true);
    }

    /// Offers the journals of viewers that were killed with the open file.
    pub(crate) fn offer_for_open_file(&mut self) {
        let Some(path) = self.file.path().map(Path::to_owned) else { return };
        let is_own = |journal: &Journal| {
            journal.head.file.as_ref().is_some_and(|file| is_same_file(&file.path, &path))
        };
        match self.restoring.as_mut().filter(|restoring| is_own(&restoring.found.journal)) {
            Some(restoring) => restoring.is_shown = true,
            None => {
                // The user has opened another file meanwhile.
                self.restoring = None;
                self.offer(is_own);
            }
        }
    }

    fn offer(&mut self, wants: impl Fn(&Journal) -> bool) {
        let Some(recovery) = self.recovery.as_ref().filter(|_| self.dialog.is_none()) else { return };
        let Found { journals, broken } = recovery.store.find(wants);
        let offer = |found: FoundJournal| {
            let head = &found.journal.head;
            let file = if head.is_whole { FileState::NotNeeded } else { FileState::of(head.file.as_ref()) };
            Offer { found, file, remarks: Vec::new() }
        };
        self.offers = journals.into_iter().map(offer).collect();
        match self.offers.front_mut() {
            Some(offer) => offer.remarks = broken,
            None if broken.is_empty() => {}
            None => self.dialog = Some(Dialog::Message(broken.join("\n"))),
        }
        self.offer_next();
    }

    fn offer_next(&mut self) {
        if let Some(offer) = self.offers.pop_front() {
            self.dialog = Some(Dialog::Question(Question::Recovered(offer)));
        }
    }

    /// Handles the answer to an offer.
    pub(super) fn answer_offer(&mut self, offer: Offer, answer: Answer, editor: &mut Editor) {
        if answer == Answer::Discard {
            offer.found.discard();
            return self.offer_next();
        }
        // The others are left for later.
        self.offers.clear();
        if answer != Answer::Save || !offer.can_restore() {
            return;
        }
        if offer.file == FileState::NotNeeded {
            return match offer.found.take_scene() {
                Some(path) => self.check_unsaved(PendingAction::Load(path, Purpose::Open), editor),
                None => self.warn("The rescued scene could not be read".to_owned()),
            };
        }
        let file = offer.found.journal.head.file.as_ref().map(|file| file.path.clone());
        let is_open = |file: &PathBuf| self.file.path().is_some_and(|path| is_same_file(path, file));
        let unopened = file.filter(|file| !is_open(file));
        self.restoring = Some(Restoring { found: offer.found, is_shown: unopened.is_none() });
        if let Some(path) = unopened {
            self.check_unsaved(PendingAction::Load(path, Purpose::Open), editor);
        }
    }

    /// Returns true if there are changes to restore and their scene is shown.
    pub(crate) fn wants_restore(&self) -> bool {
        self.restoring.as_ref().is_some_and(|restoring| restoring.is_shown)
    }

    /// Restores the changes that the user has chosen to restore.
    pub(crate) fn restore(&mut self, editor: &mut Editor) {
        let Some(Restoring { found, .. }) = self.restoring.take() else { return };
        let (known, open) = (found.journal.head.file.as_ref(), self.file.open.as_ref());
        let is_same = match (known, open) {
            (Some(known), Some(open)) => {
                known.fingerprint.is_some() && known.fingerprint == open.disk.fingerprint()
            }
            (None, None) => true,
            _ => false,
        };
        let name = self.file.name();
        match editor.restore(&found.journal, is_same) {
            Ok(Restored { count, missed }) if missed.is_empty() => {
                let changes = labels::count(count, "change");
                editor.show_message(format!("Restored {changes} of {name}, not saved yet"));
                self.release(found, editor);
            }
            Ok(Restored { count, missed }) => {
                let changes = labels::count(count, "change");
                let missed = listed(&missed);
                let kept = kept_as(found);
                self.warn(format!("Restored {changes} of {name}, without {missed}.{kept}"));
            }
            Err(error) => {
                let kept = kept_as(found);
                self.warn(format!("Could not restore the changes of {name}: {error}.{kept}"));
            }
        }
    }

    /// Deletes a restored journal once the journal of this viewer has its changes.
    fn release(&mut self, found: FoundJournal, editor: &Editor) {
        if self.flush_journal(editor).is_ok_and(|is_kept| is_kept) {
            found.discard();
        }
    }
}

/// Returns the first messages of a list, and the number of the others.
fn listed(messages: &[String]) -> String {
    /// Further messages are counted.
    const SHOWN: usize = 5;
    let more = messages.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", messages[..messages.len().min(SHOWN)].join("; "))
}

/// Keeps a journal that could not be restored completely. Returns a sentence that names it.
fn kept_as(found: FoundJournal) -> String {
    let kept = found.set_aside();
    kept.map_or(String::new(), |path| {
        format!(" The journal was kept as {}.", readable(&path.to_string_lossy()))
    })
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    let resolved = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    a == b || resolved(a).is_some_and(|a| resolved(b) == Some(a))
}
