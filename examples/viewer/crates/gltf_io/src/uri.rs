//! Which files a glTF file may refer to. [`SceneFolder::locate`] is the only way from a URI to a path: every
//! buffer and image goes through it, both when a scene is read and when it is saved.

use crate::disk;
use crate::file_error::excerpt;
use percent_encoding::percent_decode_str;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Folders outside of the scene's own one that its files may be read from. Empty by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedFolders(Vec<PathBuf>);

impl AllowedFolders {
    /// Allows these folders with everything in them.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self(folders.into_iter().collect())
    }

    /// Allows one more folder.
    pub fn allow(&mut self, folder: PathBuf) {
        if !self.0.contains(&folder) {
            self.0.push(folder);
        }
    }
}

/// The reason why a URI was refused. Only text that is safe to print is kept of the URI.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UriError {
    /// The URI has a scheme, such as `http`, or does not name a file on this system.
    #[error("{0}")]
    NotAPath(String),
    /// The file is neither in the folder of the scene nor in an allowed one.
    #[error(
        "`{uri}` is outside the folder of the scene, so it was not read; \
         --allow-outside {} allows it",
        shell_word(folder)
    )]
    Outside {
        /// Excerpt of the URI.
        uri: String,
        /// The folder to allow.
        folder: PathBuf,
    },
    /// The file does not exist, or one of its folders cannot be entered.
    #[error("the file {} cannot be read: {why}", excerpt(&disk::shown(path).to_string_lossy()))]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// The error of the system.
        why: String,
    },
}

impl UriError {
    /// Returns the folder to allow if the file is outside of the scene's folder.
    pub(crate) fn folder_to_allow(&self) -> Option<&Path> {
        match self {
            Self::Outside { folder, .. } => Some(folder),
            _ => None,
        }
    }
}

/// A file that a URI refers to and that may be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    /// The path as the URI spells it, relative to the scene.
    pub(crate) path: PathBuf,
    /// The path without symbolic links. This is the one to read.
    pub(crate) real: PathBuf,
}

/// A folder whose files may be read, without and with its symbolic links resolved.
#[derive(Debug)]
struct Root {
    absolute: PathBuf,
    real: Option<PathBuf>,
}

impl Root {
    fn new(folder: &Path) -> Self {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let absolute = match cfg!(target_arch = "wasm32") {
            // Whatever the text of a path in a browser, it names a file in the folder of the scene.
            true => PathBuf::new(),
            false => normalized(&std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())),
        };
        Self { absolute, real: disk::canonicalize(folder).ok() }
    }

    /// Returns true if a path without `..` names something in this folder.
    fn may_contain(&self, path: &Path) -> bool {
        path.starts_with(&self.absolute) || self.contains(path)
    }

    fn contains(&self, real: &Path) -> bool {
        self.real.as_ref().is_some_and(|root| real.starts_with(root))
    }
}

/// The folder of a scene, with the folders that are allowed in addition.
#[derive(Debug)]
pub(crate) struct SceneFolder {
    folder: PathBuf,
    own: Root,
    allowed: Vec<Root>,
}

impl SceneFolder {
    /// Returns the folder of a scene.
    pub(crate) fn new(folder: &Path, allowed: &AllowedFolders) -> Self {
        let allowed = allowed.0.iter().map(|folder| Root::new(folder)).collect();
        Self { folder: folder.to_owned(), own: Root::new(folder), allowed }
    }

    /// Returns the file that a URI refers to, if it may be read: percent-decoded, relative, and inside the
    /// scene's folder or an allowed one after its symbolic links are resolved. Whether it is a regular file
    /// is checked when it is opened.
    pub(crate) fn locate(&self, uri: &str) -> Result<Located, UriError> {
        let path = self.path(uri)?;
        let unreadable =
            |error: io::Error| UriError::Unreadable { path: path.clone(), why: error.to_string() };
        let real = disk::canonicalize(&path).map_err(unreadable)?;
        match self.own.contains(&real) || self.allowed.iter().any(|root| root.contains(&real)) {
            true => Ok(Located { path, real }),
            false => Err(outside(uri, &real)),
        }
    }

    /// Returns the path of the file that a URI refers to if its text alone stays inside the folders. The
    /// file system is not asked, because even that can reach a network or a device.
    pub(crate) fn path(&self, uri: &str) -> Result<PathBuf, UriError> {
        let path = decoded(uri)?;
        if let Some(why) = if cfg!(windows) { windows_refusal(&path) } else { None } {
            return Err(not_a_path(uri, why));
        }
        let is_relative = !Path::new(&path).has_root() && !Path::new(&path).is_absolute();
        let absolute = normalized(&self.own.absolute.join(&path));
        let is_inside = is_relative && self.own.may_contain(&absolute)
            || self.allowed.iter().any(|root| root.may_contain(&absolute));
        if is_inside { Ok(self.folder.join(&path)) } else { Err(outside(uri, &absolute)) }
    }
}

/// Returns true if a URI holds its data itself.
pub(crate) fn is_data(uri: &str) -> bool {
    data_of(uri).is_some()
}

/// Returns the part of a data URI after `data:`.
pub(crate) fn data_of(uri: &str) -> Option<&str> {
    let (scheme, data) = uri.split_at_checked(5)?;
    scheme.eq_ignore_ascii_case("data:").then_some(data)
}

/// Returns the path in a URI, percent-decoded.
fn decoded(uri: &str) -> Result<String, UriError> {
    let path = percent_decode_str(uri)
        .decode_utf8()
        .map_err(|_| not_a_path(uri, "not valid UTF-8 after percent-decoding"))?;
    if let Some(scheme) = scheme_of(&path) {
        return Err(UriError::NotAPath(format!(
            "{} URIs are not supported: only files in the folder of the scene are read, not `{}`",
            excerpt(scheme),
            excerpt(uri)
        )));
    }
    match path.as_ref() {
        "" => Err(not_a_path(uri, "it is empty")),
        path if path.contains('\0') => Err(not_a_path(uri, "it contains a NUL character")),
        path => Ok(path.to_owned()),
    }
}

fn not_a_path(uri: &str, why: &str) -> UriError {
    UriError::NotAPath(format!("`{}` is not the path of a file: {why}", excerpt(uri)))
}

/// Returns the scheme of a URI (RFC 3986, §3.1). A name with a colon that no slash follows is a file name,
/// except for the schemes that browsers know.
fn scheme_of(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once(':')?;
    let is_scheme_char = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let is_scheme =
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_scheme_char);
    let is_known = ["file", "http", "https", "ftp", "blob", "data"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    // One letter is a drive of Windows.
    (is_scheme && scheme.len() > 1 && (is_known || rest.starts_with('/'))).then_some(scheme)
}

/// Returns the reason why a path may not be opened on Windows, where a name can reach the network, a device
/// or another drive.
fn windows_refusal(path: &str) -> Option<&'static str> {
    let path = path.replace('/', "\\");
    if path.starts_with("\\\\") {
        return Some("network and device paths are not read");
    }
    if path.contains(':') {
        return Some("drives and alternate streams are not read");
    }
    let is_reserved = |name: &str| {
        let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
        let is_port = |port: &str| {
            stem.strip_prefix(port).is_some_and(|number| {
                number.chars().count() == 1 && number.chars().all(|c| "0123456789¹²³".contains(c))
            })
        };
        ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&stem.as_str())
            || is_port("COM")
            || is_port("LPT")
    };
    if path.split('\\').any(is_reserved) {
        return Some("the name is that of a device");
    }
    let is_trimmed = |name: &str| name.ends_with(['.', ' ']) && !matches!(name, "." | "..");
    path.split('\\').any(is_trimmed).then_some("a name ends with a dot or a space")
}

fn outside(uri: &str, path: &Path) -> UriError {
    UriError::Outside { uri: excerpt(uri), folder: path.parent().unwrap_or(path).to_owned() }
}

/// Returns a path as one word of a shell command.
fn shell_word(path: &Path) -> String {
    let text = excerpt(&path.to_string_lossy());
    let is_plain = |c: char| c.is_alphanumeric() || "/\\:._-+".contains(c);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Resolves `.` and `..` in the text of a path.
fn normalized(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(normalized.pop()),
            other => normalized.push(other),
        }
    }
    normalized
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_stays_inside_scene_folder() {
        let folder = SceneFolder::new(Path::new("/scenes/one"), &AllowedFolders::default());
        for (uri, path) in [
            ("a.bin", "/scenes/one/a.bin"),
            ("a%20b.bin", "/scenes/one/a b.bin"),
            ("./x/../a.bin", "/scenes/one/./x/../a.bin"),
            ("scene%3A1.bin", "/scenes/one/scene:1.bin"),
            ("..a/b", "/scenes/one/..a/b"),
        ] {
            assert_eq!(folder.path(uri), Ok(PathBuf::from(path)), "{uri}");
        }
        assert!(is_data("DATA:,x") && !is_data("dat") && !is_data("database/x"));
    }

    #[test]
    fn absolute_path_needs_allowed_folder() {
        let inside = SceneFolder::new(Path::new("/scenes/one"), &AllowedFolders::default());
        for (uri, folder, word) in [
            ("/scenes/one/a.bin", "/scenes/one", "--allow-outside /scenes/one allows"),
            ("/ann's scenes/a.bin", "/ann's scenes", r"--allow-outside '/ann'\''s scenes' allows"),
        ] {
            let error = inside.path(uri).expect_err("the path is absolute");
            assert_eq!(error.folder_to_allow(), Some(Path::new(folder)));
            assert!(error.to_string().contains(word), "{error}");
        }
        let mut allowed = AllowedFolders::new([PathBuf::from("/scenes/two")]);
        allowed.allow(PathBuf::from("/shared"));
        let folder = SceneFolder::new(Path::new("/scenes/one"), &allowed);
        assert_eq!(folder.path("/shared/a.bin"), Ok(PathBuf::from("/shared/a.bin")));
        assert_eq!(folder.path("../two/a.bin"), Ok(PathBuf::from("/scenes/one/../two/a.bin")));
        assert!(folder.path("../three/a.bin").is_err());
        assert!(folder.path("/shared/../etc/passwd").is_err());
    }

    #[test]
    fn windows_devices_drives_and_shares_are_refused() {
        let devices = ["NUL", "nul.png", "x/con", "COM1", "lpt9.bin", "COM²", "CONIN$", "a.png.", "x /a"];
        let drives = ["C:a", "C:\\a", "a.png:stream", "\\\\?\\C:\\a", "\\\\.\\PhysicalDrive0"];
        let shares = ["\\\\server\\share\\a", "//server/share/a"];
        for path in devices.into_iter().chain(drives).chain(shares) {
            assert!(windows_refusal(path).is_some(), "{path}");
        }
        for path in ["a.png", "textures\\a b.png", "../a", "./console.png", "COM.png", "com10", "null"] {
            assert_eq!(windows_refusal(path), None, "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_of_and_in_folder_are_followed() {
        use std::os::unix::fs::symlink;
        let top = tempfile::tempdir().expect("the temporary folder is writable");
        let path = |name: &str| top.path().join(name);
        for name in ["scene", "scene/deep"] {
            std::fs::create_dir(path(name)).expect("the folder is writable");
        }
        std::fs::write(path("scene/deep/a"), b"a").expect("the folder is writable");
        symlink("deep/a", path("scene/within")).expect("the folder is writable");
        symlink("scene", path("alias")).expect("the folder is writable");
        let folder = SceneFolder::new(&path("alias"), &AllowedFolders::default());
        let real = path("scene/deep/a").canonicalize().expect("the file exists");
        assert_eq!(folder.locate("within"), Ok(Located { path: path("alias/within"), real }));
        assert!(matches!(folder.locate("none"), Err(UriError::Unreadable { .. })));
    }
}
