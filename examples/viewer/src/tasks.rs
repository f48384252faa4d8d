//! Work beside the window: in threads, or in a browser in later turns of the page's only thread.

use std::future::Future;
use std::io;
use std::pin::Pin;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::{Task, spawn, start};
#[cfg(target_arch = "wasm32")]
pub(crate) use page::{Task, spawn, start};

/// A future that may be awaited by another thread.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type Awaited<T> = Pin<Box<dyn Future<Output = T> + Send>>;
/// A future of the page.
#[cfg(target_arch = "wasm32")]
pub(crate) type Awaited<T> = Pin<Box<dyn Future<Output = T>>>;

/// Awaits a future and passes its value on, without blocking the caller.
pub(crate) fn when_ready<T: 'static>(
    name: &str,
    future: Awaited<T>,
    then: impl FnOnce(T) + Send + 'static,
) -> io::Result<()> {
    #[cfg(not(target_arch = "wasm32"))]
    return spawn(name, move || then(pollster::block_on(future))).map(drop);
    #[cfg(target_arch = "wasm32")]
    {
        let _ = name;
        start(async move { then(future.await) });
        Ok(())
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::future::Future;
    use std::io;
    use std::thread;

    /// A piece of work in a thread.
    pub(crate) type Task = thread::JoinHandle<()>;

    /// Starts a piece of work.
    pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<Task> {
        thread::Builder::new().name(name.to_owned()).spawn(work)
    }

    /// Runs a future that the window waits for.
    pub(crate) fn start(future: impl Future<Output = ()>) {
        pollster::block_on(future);
    }
}

#[cfg(target_arch = "wasm32")]
mod page {
    use std::cell::Cell;
    use std::future::Future;
    use std::io;
    use std::rc::Rc;
    use wasm_bindgen_futures::spawn_local;

    /// A piece of work in a later turn.
    pub(crate) struct Task(Rc<Cell<bool>>);

    impl Task {
        /// Returns true if the work is done.
        pub(crate) fn is_finished(&self) -> bool {
            self.0.get()
        }

        /// Does nothing: earlier work has ended when later work begins.
        pub(crate) fn join(self) -> Result<(), ()> {
            Ok(())
        }
    }

    /// Starts a piece of work.
    pub(crate) fn spawn(_: &str, work: impl FnOnce() + 'static) -> io::Result<Task> {
        let is_finished = Rc::new(Cell::new(false));
        let task = Task(is_finished.clone());
        spawn_local(async move {
            work();
            is_finished.set(true);
        });
        Ok(task)
    }

    /// Runs a future, which ends in a later turn.
    pub(crate) fn start(future: impl Future<Output = ()> + 'static) {
        spawn_local(future);
    }
}
