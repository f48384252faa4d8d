//! Renderers and images that tests share: creating one compiles shaders, which takes longer than most tests.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Values by their keys. A value is used by one test at a time.
pub(crate) struct Pool<K, T>(Mutex<Vec<(K, T)>>);

impl<K: PartialEq, T> Pool<K, T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn values(&self) -> MutexGuard<'_, Vec<(K, T)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with a value that nothing else uses meanwhile, which is created if none is free. A panic drops
    /// the value.
    pub(crate) fn with<R>(&self, key: K, create: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let free = {
            let mut values = self.values();
            let index = values.iter().position(|(other, _)| *other == key);
            index.map(|index| values.swap_remove(index).1)
        };
        let mut value = free.unwrap_or_else(create);
        let result = work(&mut value);
        self.values().push((key, value));
        result
    }
}
