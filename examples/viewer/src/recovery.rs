//! Keeps the recovery journals of viewers in a folder: one per running viewer, held by a lock that ends with
//! the process.

mod store;
mod writer;

#[cfg(test)]
mod tests;

pub(crate) use store::{Found, FoundJournal, Store};
pub(crate) use writer::{Writer, flush_registered, install_panic_hook};
