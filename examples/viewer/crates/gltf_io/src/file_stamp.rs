//! The state of a file on disk: its identity, length and time, to find out whether it has changed, and its
//! read permissions.

use crate::disk::{self, Metadata};
use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

/// The state of a file: its identity, its length and its modification time. Two stamps are equal if these are
/// equal. A stamp of a file that was read or written here also knows its contents, see
/// [`FileStamp::is_current`].
#[derive(Debug, Clone, Copy)]
pub struct FileStamp {
    state: Option<State>,
    contents: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    length: u64,
    modified: Option<SystemTime>,
    /// Device and index node.
    file: (u64, u64),
    /// Time of the last change of anything, including the modification time itself. A program that
    /// restores the modification time cannot restore this one.
    changed: (i64, i64),
}

impl PartialEq for FileStamp {
    fn eq(&self, other: &Self) -> bool {
        let compared = |stamp: &Self| stamp.state.map(|state| (state.length, state.modified, state.file));
        compared(self) == compared(other)
    }
}

impl Eq for FileStamp {}

impl FileStamp {
    /// The stamp of a file that does not exist.
    pub(crate) const MISSING: Self = Self { state: None, contents: None };

    /// Returns the current state of a file.
    pub fn of(path: &Path) -> Self {
        disk::metadata(path).map_or(Self::MISSING, |metadata| Self::of_metadata(&metadata))
    }

    pub(crate) fn of_metadata(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        #[cfg(unix)]
        let (file, changed) = {
            use std::os::unix::fs::MetadataExt;
            ((metadata.dev(), metadata.ino()), (metadata.ctime(), metadata.ctime_nsec()))
        };
        #[cfg(not(unix))]
        let (file, changed) = ((0, 0), (0, 0));
        Self { state: Some(State { length: metadata.len(), modified, file, changed }), contents: None }
    }

    /// Adds the contents of the file.
    pub(crate) fn with_contents(self, pieces: &[&[u8]]) -> Self {
        let mut hasher = ContentHasher::NEW;
        pieces.iter().for_each(|piece| hasher.write(piece));
        Self { contents: Some(hasher.0), ..self }
    }

    /// Returns the stamp after a rename of the file, which changes nothing else.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn renamed(self, file: &std::fs::File) -> Self {
        match file.metadata().map(|metadata| Self::of_metadata(&metadata)) {
            Ok(now) if now == self => Self { state: now.state, ..self },
            _ => self,
        }
    }

    /// Returns the fingerprint of the contents, if they are known.
    pub fn fingerprint(self) -> Option<Fingerprint> {
        Some(Fingerprint { length: self.state?.length, contents: self.contents? })
    }

    /// Returns true if the file existed.
    pub fn exists(self) -> bool {
        self.state.is_some()
    }

    /// Returns the length of the file in bytes.
    pub(crate) fn len(self) -> u64 {
        self.state.map_or(0, |state| state.length)
    }

    /// Returns the current stamp of a file that has the same contents as this one, whatever was done to it
    /// otherwise, or `None` if its contents differ or are not known. Reads the file.
    pub fn refreshed(self, path: &Path) -> Option<Self> {
        let (now, contents) = (Self::of(path), self.contents?);
        let is_same = now.exists() && now.len() == self.len() && contents_of(path) == Some(contents);
        // Nobody has written it meanwhile.
        (is_same && Self::of(path) == now).then_some(Self { contents: Some(contents), ..now })
    }

    /// Returns true if a file is still in this state. In addition to comparing stamps, this reads the file
    /// if anything was done to it since, so it finds new contents of the same length and time.
    pub fn is_current(self, path: &Path) -> bool {
        let now = Self::of(path);
        let (Some(was), Some(is), Some(contents)) = (self.state, now.state, self.contents) else {
            return self == now;
        };
        let is_same_state = (was.length, was.modified) == (is.length, is.modified);
        // Systems without this information always read the file.
        let is_untouched = was.file == is.file && was.changed == is.changed && cfg!(unix);
        is_same_state && (is_untouched || contents_of(path) == Some(contents))
    }
}

/// The length and a hash of the contents of a file. It recognizes the file in a later run of the program, also
/// if another compiler built that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    /// Length in bytes.
    pub length: u64,
    /// Hash of the contents.
    pub contents: u64,
}

impl Fingerprint {
    /// Reads a file. Returns `None` if that fails.
    pub fn of(path: &Path) -> Option<Self> {
        let length = disk::metadata(path).ok()?.len();
        Some(Self { length, contents: contents_of(path)? })
    }
}

fn contents_of(path: &Path) -> Option<u64> {
    let (mut file, _) = disk::open(path).ok().filter(|(_, metadata)| metadata.is_file())?;
    let mut hasher = ContentHasher::NEW;
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk).ok()? {
            0 => return Some(hasher.0),
            read => hasher.write(&chunk[..read]),
        }
    }
}

/// FNV-1a with 64 bits. It is written to journals, so it must not depend on the compiler, and hashes bytes
/// however they are divided into pieces.
struct ContentHasher(u64);

impl ContentHasher {
    const NEW: Self = Self(0xcbf2_9ce4_8422_2325);
    const PRIME: u64 = 0x0100_0000_01b3;

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(Self::PRIME));
    }
}

/// The read permissions of a file. A file with the contents of several may be read only by users who may read
/// all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restriction {
    /// The permission bits of Unix that are kept.
    mode: u32,
}

impl Default for Restriction {
    /// Returns no restriction.
    fn default() -> Self {
        Self { mode: 0o777 }
    }
}

impl Restriction {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The owner can always write what the owner saves.
            Self { mode: metadata.permissions().mode() & 0o777 | 0o700 }
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Self::default()
        }
    }

    /// Returns the restriction of a file that contains both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { mode: self.mode & other.mode }
    }

    /// Restricts the permissions of an open file.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn apply(self, file: &std::fs::File) -> std::io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mut permissions = file.metadata()?.permissions();
            let mode = permissions.mode() & (self.mode | !0o777);
            if mode != permissions.mode() {
                permissions.set_mode(mode);
                file.set_permissions(permissions)?;
            }
        }
        #[cfg(not(unix))]
        let _ = (self, file);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use std::fs::{self, File};

    /// The values are the published test vectors of FNV-1a.
    #[test]
    fn content_hash_is_fnv_1a_of_concatenated_pieces() {
        for (pieces, expected) in [
            (&[][..], 0xcbf2_9ce4_8422_2325),
            (&[&b"a"[..]][..], 0xaf63_dc4c_8601_ec8c),
            (&[&b"foo"[..], b"", b"bar"][..], 0x8594_4171_f739_67e8),
        ] {
            let mut hasher = ContentHasher::NEW;
            pieces.iter().for_each(|piece| hasher.write(piece));
            assert_eq!(hasher.0, expected, "{pieces:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn replacement_of_same_length_and_time_is_noticed() {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let (path, other) = (folder.path().join("a.glb"), folder.path().join("b.glb"));
        let write = |path: &Path, bytes: &[u8]| {
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
            fs::write(path, bytes).expect("the folder is writable");
            let file = File::options().write(true).open(path).expect("the file exists");
            file.set_modified(time).expect("the file is writable");
        };
        write(&path, b"one");
        let stamp = FileStamp::of(&path).with_contents(&[b"on", b"e"]);
        assert!(stamp.is_current(&path) && stamp == FileStamp::of(&path));
        // Written in place: only the contents differ.
        write(&path, b"two");
        assert!(!stamp.is_current(&path));
        write(&path, b"one");
        assert!(stamp.is_current(&path), "the same contents again");
        // Another file.
        write(&other, b"two");
        fs::rename(&other, &path).expect("the folder is writable");
        assert!(!stamp.is_current(&path) && stamp != FileStamp::of(&path));
        fs::remove_file(&path).expect("the file exists");
        assert!(!stamp.is_current(&path) && FileStamp::MISSING.is_current(&path));
    }
}
