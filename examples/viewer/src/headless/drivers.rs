//! Keeps drivers from complaining on stderr about what a run without a display does not need.

/// Starts the program again with the variable `XDG_RUNTIME_DIR`, unless it is set: a layer of Mesa asks libwayland for
/// a display, which complains if there is none. The program cannot set it for itself, because the variables of a
/// running process are not safe to change.
#[cfg(target_os = "linux")]
pub(crate) fn silence() {
    use std::os::unix::process::CommandExt;
    const VARIABLE: &str = "XDG_RUNTIME_DIR";
    if std::env::var_os(VARIABLE).is_some() {
        return;
    }
    let mut arguments = std::env::args_os();
    let (Ok(program), Some(name)) = (std::env::current_exe(), arguments.next()) else { return };
    let mut again = std::process::Command::new(program);
    // It returns only if it fails. Then the drivers complain, and everything else works.
    let _ = again.arg0(name).args(arguments).env(VARIABLE, "/nonexistent").exec();
}

/// Does nothing.
#[cfg(not(target_os = "linux"))]
pub(crate) fn silence() {}
