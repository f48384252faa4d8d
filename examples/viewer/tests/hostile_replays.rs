//! Generates hostile replays from one that has every key and event: each number at its limits and beyond,
//! wrong types, missing, unknown and repeated keys, deep nesting and long lists. All are read in this process.
//! Those that can be read are played by the program, under a limit of memory and of time.
//!
//! By default a part of them is played: with `-- --every N` every Nth one, and with `-- --all` all of them.

#![recursion_limit = "512"]

#[cfg(target_os = "linux")]
#[path = "hostile_replays/documents.rs"]
mod documents;
#[cfg(target_os = "linux")]
#[path = "hostile_replays/play.rs"]
mod play;

#[cfg(target_os = "linux")]
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let every = arguments.iter().position(|argument| argument == "--every");
    let every = every.and_then(|at| arguments.get(at + 1)?.parse().ok());
    let every = if arguments.iter().any(|argument| argument == "--all") { Some(1) } else { every };
    let cases = documents::cases();
    assert_eq!(documents::read(&cases[0]), Ok(()), "the unchanged replay");
    let (mut accepted, mut refused) = (Vec::new(), 0);
    for case in &cases {
        match documents::read(case) {
            Ok(()) => accepted.push(case),
            Err(error) => {
                refused += 1;
                assert_eq!(error.lines().count(), 1, "{}: {error}", case.name);
                assert!(error.starts_with("hostile.json: "), "{}: {error}", case.name);
                let [_, place, what] = error.splitn(3, ": ").collect::<Vec<_>>()[..] else {
                    panic!("{}: {error}", case.name)
                };
                assert!(!place.is_empty() && !what.is_empty(), "{}: {error}", case.name);
            }
        }
    }
    println!("figure: hostile_replays = {}, refused = {refused}", cases.len());
    assert!(accepted.len() > 300 && refused > 2000, "{} and {refused}", accepted.len());
    let every: usize = every.unwrap_or(accepted.len() / 24);
    let picked: Vec<_> = accepted.iter().step_by(every.max(1)).copied().collect();
    play::play_all(&picked);
    println!("figure: hostile_replays_played = {}", picked.len());
}

#[cfg(not(target_os = "linux"))]
fn main() {}
