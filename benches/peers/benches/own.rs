//! Runs the benches of the library's own packages as its users do, and adds their figures to the
//! page, as well as the instruction counts that CI compares every change with.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench own`

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wgpu_gizmo_bench_peers::page::{self, set_cell};

/// Runs a bench, relays its output, and adds its figures to the page.
fn relay(library: &Path, target: &Path, [package, bench]: [&str; 2]) {
    let mut child = Command::new("cargo")
        .args(["bench", "--quiet", "-p", package, "--bench", bench])
        // The core has no such feature, and no GPU.
        .args(if package == "wgpu-gizmo" { &["--features", "native"][..] } else { &[] })
        .current_dir(library)
        .env("CARGO_TARGET_DIR", target)
        .stdout(Stdio::piped())
        .spawn()
        .expect("cargo runs");
    for line in BufReader::new(child.stdout.take().expect("stdout is piped")).lines() {
        let line = line.expect("the output is UTF-8");
        println!("{line}");
        let words: Vec<_> = line.split_whitespace().collect();
        if let ["figure:", name, "=", value, unit] = words[..] {
            set_cell(name, value, unit);
        }
    }
    assert!(child.wait().expect("the process ends").success(), "the bench {bench} failed");
}

fn main() {
    page::run("own", || {
        let library = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        // TARGET/release/deps/own-…
        let program = std::env::current_exe().expect("the program has a path");
        let target = program.ancestors().nth(3).expect("the program is in a target folder");
        for bench in [["wgpu-gizmo-core", "core"], ["wgpu-gizmo", "picking"]] {
            relay(&library, target, bench);
        }
        let counted =
            std::fs::read_to_string(library.join("crates/wgpu-gizmo-core/benches/instructions.txt"))
                .expect("the file exists");
        for line in counted.lines() {
            if let [path, instructions] = line.split_whitespace().collect::<Vec<_>>()[..] {
                set_cell(path, instructions, "ratio");
            }
        }
    });
}
