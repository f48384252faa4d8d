//! Paths in JSON files.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// Returns a path as JSON: a string, or an array of bytes if the path is not valid UTF-8.
pub fn path_to_json(path: &Path) -> Option<Value> {
    let text = path.to_str().map(Value::from);
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Some(text.unwrap_or_else(|| Value::from(path.as_os_str().as_bytes())))
    }
    #[cfg(not(unix))]
    text
}

/// Returns the path of [`path_to_json`], or `None` if the value is not an absolute path.
pub fn path_from_json(value: &Value) -> Option<PathBuf> {
    let path = match value {
        Value::String(text) => PathBuf::from(text),
        #[cfg(unix)]
        Value::Array(bytes) => {
            use std::os::unix::ffi::OsStringExt;
            let bytes = bytes.iter().map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok()));
            PathBuf::from(std::ffi::OsString::from_vec(bytes.collect::<Option<Vec<u8>>>()?))
        }
        _ => return None,
    };
    path.is_absolute().then_some(path)
}
