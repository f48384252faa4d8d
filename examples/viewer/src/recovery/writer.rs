//! Writes the journal of this process in a thread of its own, so that it is on disk soon after each change
//! even if no event wakes the window, and however the process ends.

use super::store::{OwnFile, Store};
use scene::Scene;
use session::journal::Journal;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError, Weak};
use std::thread;
use std::time::Duration;
use web_time::Instant;

/// Minimum time between two writes. The first change after a pause is written at once.
const INTERVAL: Duration = Duration::from_secs(1);
/// Time until a write that failed is tried again.
const RETRY: Duration = Duration::from_secs(4);

/// The callback that learns that the journal could not be written. It is called once until a write succeeds.
pub(crate) type OnFailure = Box<dyn Fn(String) + Send + Sync>;

/// Writes journals. Dropping it ends the thread and leaves the journal as it is.
pub(crate) struct Writer(Arc<Shared>);

struct Shared {
    slot: Mutex<Slot>,
    wake: Condvar,
    /// Locked while the journal is written or deleted.
    disk: Mutex<Disk>,
    on_failure: OnFailure,
}

/// The pending job, and whether the writer is closed.
#[derive(Default)]
struct Slot {
    job: Option<Job>,
    is_closed: bool,
}

enum Job {
    /// Writes the journal and, if it cannot hold all changes, the whole scene.
    Write(Box<Journal>, Option<Box<Scene>>),
    Clear,
}

struct Disk {
    store: Store,
    /// Present once there was something to write.
    file: Option<OwnFile>,
    /// Whether the last write failed and the user was told.
    has_failed: bool,
}

/// The writer of this process, for the panic hook.
static WRITER: OnceLock<Mutex<Weak<Shared>>> = OnceLock::new();

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(store: Store, on_failure: OnFailure) -> io::Result<Self> {
        let disk = Mutex::new(Disk { store, file: None, has_failed: false });
        let shared = Arc::new(Shared { slot: Mutex::default(), wake: Condvar::new(), disk, on_failure });
        let thread_shared = shared.clone();
        thread::Builder::new().name("journal".to_owned()).spawn(move || thread_shared.run())?;
        Ok(Self(shared))
    }

    /// Makes this the writer that the panic hook flushes.
    pub(crate) fn register(&self) {
        *lock(WRITER.get_or_init(Mutex::default)) = Arc::downgrade(&self.0);
    }

    /// Writes this journal soon, instead of any earlier one that is still waiting. If the journal cannot hold
    /// all changes, `scene` is written too.
    pub(crate) fn write(&self, journal: Journal, scene: Option<Scene>) {
        self.put(Job::Write(Box::new(journal), scene.map(Box::new)));
    }

    /// Deletes the journal soon, because there are no unsaved changes.
    pub(crate) fn clear(&self) {
        self.put(Job::Clear);
    }

    fn put(&self, job: Job) {
        lock(&self.0.slot).job = Some(job);
        self.0.wake.notify_all();
    }

    /// Runs the last requested write or deletion now. Returns an error if that fails.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.0.run_job(&mut lock(&self.0.disk))
    }

    /// Deletes the journal and its lock, because nothing is unsaved or the user has discarded the changes.
    pub(crate) fn finish(&self) {
        self.clear();
        // A journal that cannot be deleted is offered at the next start.
        let _ = self.flush();
        if let Some(file) = lock(&self.0.disk).file.take() {
            file.remove_lock();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        lock(&self.0.slot).is_closed = true;
        self.0.wake.notify_all();
    }
}

impl Shared {
    fn run(&self) {
        let mut slot = lock(&self.slot);
        loop {
            let is_idle = |slot: &mut Slot| slot.job.is_none() && !slot.is_closed;
            slot = self.wake.wait_while(slot, is_idle).unwrap_or_else(PoisonError::into_inner);
            if slot.is_closed {
                return;
            }
            drop(slot);
            let result = self.run_job(&mut lock(&self.disk));
            let pause = if result.is_ok() { INTERVAL } else { RETRY };
            // Waits for the whole pause, although each new job wakes the condition variable.
            let waited = self.wake.wait_timeout_while(lock(&self.slot), pause, |slot| !slot.is_closed);
            slot = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Runs the waiting job, if any. If it fails, it waits again, unless a newer one was requested in the
    /// meantime.
    fn run_job(&self, disk: &mut Disk) -> io::Result<()> {
        let Some(job) = lock(&self.slot).job.take() else { return Ok(()) };
        let result = disk.run(&job);
        match &result {
            Ok(()) => disk.has_failed = false,
            Err(error) => {
                lock(&self.slot).job.get_or_insert(job);
                // This may not be the thread that tries again.
                self.wake.notify_all();
                if !std::mem::replace(&mut disk.has_failed, true) {
                    (self.on_failure)(error.to_string());
                }
            }
        }
        result
    }
}

impl Disk {
    fn run(&mut self, job: &Job) -> io::Result<()> {
        match (job, &self.file) {
            (Job::Clear, None) => Ok(()),
            (Job::Clear, Some(file)) => file.clear(),
            (Job::Write(journal, scene), _) => {
                if self.file.is_none() {
                    self.file = Some(self.store.create()?);
                }
                let Some(file) = &self.file else { return Ok(()) };
                if let Some(scene) = scene {
                    file.write_scene(scene)?;
                }
                file.write(journal.to_text().as_bytes())?;
                if scene.is_none() { file.clear_scene() } else { Ok(()) }
            }
        }
    }
}

/// Makes every panic write the waiting journal before its message is printed.
pub(crate) fn install_panic_hook() {
    let next = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        flush_registered();
        next(info);
    }));
}

/// Time that [`flush_registered`] waits for a write in progress.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Writes the waiting journal of this process from any thread, even one that panics.
pub(crate) fn flush_registered() {
    let shared = WRITER.get().and_then(|writer| writer.try_lock().ok()?.upgrade());
    let Some(shared) = shared else { return };
    let started = Instant::now();
    // The thread that panics may hold the lock.
    while started.elapsed() < MAX_WAIT {
        match shared.disk.try_lock() {
            Ok(mut disk) => return drop(shared.run_job(&mut disk)),
            Err(TryLockError::Poisoned(disk)) => return drop(shared.run_job(&mut disk.into_inner())),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// Locks a mutex, also after a panic of a thread that held it: the values are replaced as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
