//! The client of spacenavd, the daemon that reads 3D mice on Unix. It sends messages of 32 bytes to everybody who
//! connects to its socket.

use super::Closed;
use session::space_mouse::{MESSAGE_BYTES, Report, from_spacenavd};
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

/// Connects to the daemon, at the socket that `SPNAV_SOCKET` names or at its usual one, like its other clients.
pub(super) fn connect() -> Option<UnixStream> {
    let named = std::env::var_os("SPNAV_SOCKET").map(PathBuf::from);
    let paths = named.into_iter().chain(["/var/run/spnav.sock".into()]);
    paths.filter_map(|path| UnixStream::connect(path).ok()).next()
}

/// Reads messages until the daemon ends.
pub(super) fn read(
    mut socket: impl Read,
    send: &mut impl FnMut(Report) -> Result<(), Closed>,
) -> Result<(), Closed> {
    let mut message = [0; MESSAGE_BYTES];
    while socket.read_exact(&mut message).is_ok() {
        from_spacenavd(&message).map_or(Ok(()), &mut *send)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_until_socket_ends() {
        let press = |button: i32| [1, button, 1, 0, 0, 0, 0, 0].map(i32::to_ne_bytes).concat();
        let ignored = [9i32; 8].map(i32::to_ne_bytes).concat();
        // The last message is cut off.
        let bytes = [press(0), ignored, press(1), press(2)[..31].to_vec()].concat();
        let mut reports = Vec::new();
        let all = read(bytes.as_slice(), &mut |report| {
            reports.push(report);
            Ok(())
        });
        assert!(all.is_ok());
        assert_eq!(reports, [Report::Pressed(0), Report::Pressed(1)]);
        let closed = read(bytes.as_slice(), &mut |_| Err(Closed));
        assert!(closed.is_err(), "the thread ends with the window");
    }
}
