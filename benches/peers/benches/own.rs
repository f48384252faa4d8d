//! The benches of the library's own package, run as its users run them; their figures go into the
//! page with the others. So do the instructions that CI holds every change against.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench own`

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wgpu_gizmo_bench_peers::page::{self, set_cell};

/// Prints what a bench prints; puts its figures into the page.
fn relay(library: &Path, target: &Path, bench: &str) {
    let mut child = Command::new("cargo")
        .args(["bench", "--quiet", "-p", "wgpu-gizmo", "--features", "native", "--bench", bench])
        .current_dir(library)
        .env("CARGO_TARGET_DIR", target)
        .stdout(Stdio::piped())
        .spawn()
        .expect("cargo runs");
    for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
        let line = line.expect("text");
        println!("{line}");
        let words: Vec<_> = line.split_whitespace().collect();
        if let ["figure:", name, "=", value, unit] = words[..] {
            set_cell(name, value, unit);
        }
    }
    assert!(child.wait().expect("it ends").success(), "{bench}");
}

fn main() {
    page::run("own", || {
        let library = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        // TARGET/release/deps/own-…
        let program = std::env::current_exe().expect("it runs");
        let target = program.ancestors().nth(3).expect("where cargo builds");
        for bench in ["core", "picking"] {
            relay(&library, target, bench);
        }
        let counted = std::fs::read_to_string(library.join("benches/instructions.txt")).expect("it is there");
        for line in counted.lines() {
            if let [path, instructions] = line.split_whitespace().collect::<Vec<_>>()[..] {
                set_cell(path, instructions, "ratio");
            }
        }
    });
}
