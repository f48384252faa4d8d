//! A private X display, its input, and its picture.

use super::*;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

/// An X server without a screen, which keeps its picture in a file.
pub(crate) struct Display {
    server: Child,
    name: String,
    screen: PathBuf,
}

impl Drop for Display {
    fn drop(&mut self) {
        self.kill();
    }
}

const INSTALL: &str = "is missing; apt-get install -y --no-install-recommends xvfb xdotool \
                       libxcursor1 libxi6 libxkbcommon-x11-0";

/// The time after which a test fails that waits for a program.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Waits for the end of a process. One that takes longer than the limit is killed, and has no status.
pub(crate) fn exit_status(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    while started.elapsed() < limit {
        if let Some(status) = child.try_wait().expect("the process can be waited for") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

impl Display {
    /// Opens a display that answers. Of two servers that start at the same time, one can take the
    /// other's socket.
    pub(crate) fn open(size: [u32; 2], folder: &Path) -> Self {
        let display = Self::open_again(size, folder);
        display.forget_journals();
        display
    }

    /// Like [`Display::open`], and keeps the viewers' recovery journals.
    pub(crate) fn open_again(size: [u32; 2], folder: &Path) -> Self {
        let mut servers = std::iter::repeat_with(|| Self::start(size, folder));
        servers.by_ref().take(5).find(Self::answers).expect("Xvfb answers")
    }

    fn answers(&self) -> bool {
        let mut query = self.command("xdotool");
        let status = query.arg("getdisplaygeometry").stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.unwrap_or_else(|error| panic!("xdotool {INSTALL} ({error})")).success()
    }

    fn start([width, height]: [u32; 2], folder: &Path) -> Self {
        let mut server = Command::new("Xvfb")
            // Without `-noreset`, a server resets when its last client leaves, even while another
            // connects. `-r` turns off key repeat, which a busy machine would trigger.
            .args(["-noreset", "-r", "-displayfd", "1"])
            .args(["-screen", "0", &format!("{width}x{height}x24"), "-fbdir"])
            .arg(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("Xvfb {INSTALL} ({error})"));
        let mut number = String::new();
        let output = server.stdout.take().expect("the output is piped");
        BufReader::new(output).read_line(&mut number).expect("Xvfb prints its display number");
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        Self { server, name: format!(":{}", number.trim()), screen: folder.join("Xvfb_screen0") }
    }

    /// Returns the folder of the viewers' data.
    pub(crate) fn data(&self) -> PathBuf {
        self.screen.with_file_name("data")
    }

    /// Deletes the recovery journals of viewers that were killed before. They would be offered.
    pub(crate) fn forget_journals(&self) {
        let _ = std::fs::remove_dir_all(self.data().join("wgpu-gizmo/rescued"));
    }

    /// Kills the server, as a crash of it does.
    pub(crate) fn kill(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }

    /// Returns a command for a program that shows its windows on this display.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.name).env_remove("WAYLAND_DISPLAY");
        // Otherwise the tests would change the user's list of recent files.
        command.env("XDG_DATA_HOME", self.data());
        // Paths are typed instead of chosen in dialogs of the desktop, which the tests could not see.
        command.env_remove("DBUS_SESSION_BUS_ADDRESS");
        command
    }

    /// Runs xdotool. Panics if it fails or takes too long, as it does with `--sync` when the window is gone.
    pub(crate) fn xdotool(&self, arguments: &[&str]) {
        let mut child = self
            .command("xdotool")
            .args(arguments)
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("xdotool {INSTALL} ({error})"));
        let status = exit_status(&mut child, TIME_LIMIT);
        assert!(status.is_some_and(|status| status.success()), "xdotool {arguments:?}: {status:?}");
    }

    /// Asks a window to close, as the button in its title bar does.
    pub(crate) fn ask_to_close(&self, name: &str) {
        let found = self.command("xdotool").args(["search", "--onlyvisible", "--name", name]).output();
        let found = String::from_utf8(found.expect("xdotool runs").stdout).expect("numbers are printed");
        let window: u32 = found.trim().parse().expect("one window has this name");
        // The X protocol: the connection, two atoms by their names, and a message with them.
        let socket = format!("/tmp/.X11-unix/X{}", &self.name[1..]);
        let mut server = UnixStream::connect(socket).expect("the server listens");
        let mut send = |request: &[u8]| server.write_all(request).expect("the server reads");
        send(&[b'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for name in [&b"WM_PROTOCOLS"[..], b"WM_DELETE_WINDOW"] {
            send(&[&[16, 0, 2 + name.len() as u8 / 4, 0, name.len() as u8, 0, 0, 0], name].concat());
        }
        let mut read = |length: usize| {
            let mut bytes = vec![0; length];
            server.read_exact(&mut bytes).expect("the server answers");
            bytes
        };
        let head = read(8);
        read(4 * usize::from(u16::from_le_bytes([head[6], head[7]])));
        let [protocols, delete] = [(); 2].map(|()| read(32)[8..12].to_vec());
        let to = window.to_le_bytes();
        let message =
            [&[25, 0, 11, 0], &to[..], &[0; 4], &[33, 32, 0, 0], &to, &protocols, &delete, &[0; 16]];
        server.write_all(&message.concat()).expect("the server reads");
        // The server handles what it has read, and then closes the connection.
        server.shutdown(Shutdown::Write).expect("the connection is open");
        let _ = server.read_to_end(&mut Vec::new());
    }

    /// Waits until the window's title starts with this file name, with a star if the file has changed.
    pub(crate) fn wait_for_title(&self, name: &str) {
        let name = format!("^{} ", name.replace('*', "\\*"));
        self.wait(&format!("no window has the title {name}"), || self.shows_window(&name));
    }

    /// Waits until the picture is clearly different.
    pub(crate) fn wait_for_change(&self, before: &Picture) {
        self.wait_for_change_in([0, 0, before.width, before.height], before);
    }

    /// Waits until a part of the picture is clearly different: x, y, width and height.
    pub(crate) fn wait_for_change_in(&self, part: [u32; 4], before: &Picture) {
        self.wait("nothing changes", || self.picture().difference(before, part) > 0.001);
    }

    /// Waits until the condition holds. Panics with the message if it does not.
    pub(crate) fn wait(&self, message: &str, condition: impl Fn() -> bool) {
        let started = Instant::now();
        while !condition() {
            assert!(started.elapsed() < TIME_LIMIT, "{message}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the picture has stayed the same for longer than a frame takes.
    pub(crate) fn wait_until_still(&self) {
        let (started, mut since) = (Instant::now(), Instant::now());
        let mut last = self.picture();
        while last.is_black() || since.elapsed() < Duration::from_millis(700) {
            assert!(started.elapsed() < TIME_LIMIT, "the picture does not come to rest");
            std::thread::sleep(Duration::from_millis(50));
            let now = self.picture();
            if now.rgb != last.rgb {
                (last, since) = (now, Instant::now());
            }
        }
    }

    /// Returns true if the title of a visible window matches this pattern.
    pub(crate) fn shows_window(&self, name: &str) -> bool {
        let mut search = self.command("xdotool");
        let status = search
            .args(["search", "--onlyvisible", "--name", name])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    }

    /// Returns the current picture of the display.
    pub(crate) fn picture(&self) -> Picture {
        Picture::of_xwd(&std::fs::read(&self.screen).expect("Xvfb's picture can be read"))
    }
}

/// Rows of red, green and blue from the top.
pub(crate) struct Picture {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

impl Picture {
    pub(crate) fn of_png(path: &Path) -> Self {
        let image = image::open(path).expect("the picture can be read").into_rgb8();
        Self { width: image.width(), height: image.height(), rgb: image.into_raw() }
    }

    /// Reads an X window dump (XWDFile.h): a header of big-endian words, colors of twelve bytes, rows.
    fn of_xwd(bytes: &[u8]) -> Self {
        let word = |index: usize| {
            let four = bytes[4 * index..4 * index + 4].try_into().expect("the slice has four bytes");
            u32::from_be_bytes(four)
        };
        let (header, width, height) = (word(0) as usize, word(4), word(5));
        assert_eq!((word(7), word(11)), (0, 32), "rows of little-endian words of 32 bits");
        let (row, colors) = (word(12) as usize, word(19) as usize);
        let rows = bytes[header + 12 * colors..].chunks(row).take(height as usize);
        let rgb = rows
            .flat_map(|row| row[..4 * width as usize].chunks(4))
            .flat_map(|pixel| [pixel[2], pixel[1], pixel[0]])
            .collect();
        Self { width, height, rgb }
    }

    /// Returns the fraction of pixels in a part (x, y, width, height) whose colors clearly differ.
    pub(crate) fn difference(&self, other: &Self, [x, y, width, height]: [u32; 4]) -> f64 {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let differs = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 16);
        let differing = (y..y + height).map(|row| {
            let first = 3 * (row * self.width + x) as usize;
            let row = first..first + 3 * width as usize;
            self.rgb[row.clone()].chunks(3).zip(other.rgb[row].chunks(3)).filter(differs).count()
        });
        differing.sum::<usize>() as f64 / f64::from(width * height)
    }

    /// Returns true if nothing has been drawn yet.
    pub(crate) fn is_black(&self) -> bool {
        self.rgb.iter().all(|level| *level == 0)
    }

    pub(crate) fn save(&self, path: &Path) {
        let format = image::ExtendedColorType::Rgb8;
        image::save_buffer(path, &self.rgb, self.width, self.height, format).expect("the folder is writable");
    }
}
