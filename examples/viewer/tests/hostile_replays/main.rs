//! Generates hostile replays from one that has every key and event: each number at its limits and beyond,
//! wrong types, missing, unknown and repeated keys, deep nesting and long lists. All are read in this process.
//! Those that can be read are played as the program plays them, many per process, with a limit of memory and time.
//!
//! Plays a part of them by default; with `-- --all`, plays one of each key and class of values.

#![recursion_limit = "512"]

#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod documents;
#[cfg(target_os = "linux")]
mod play;
/// The part of the program that plays a replay without a window.
#[cfg(target_os = "linux")]
#[path = "../../src"]
mod viewer {
    #[allow(dead_code, unused_imports, reason = "the program uses the rest")]
    pub(crate) mod headless;
    #[allow(dead_code, reason = "the program uses the rest")]
    mod messages;
    #[allow(dead_code, reason = "the program uses the rest")]
    mod small_files;
}

/// The number of replays that are played without `--all`.
#[cfg(target_os = "linux")]
const PLAYED: usize = 60;

#[cfg(target_os = "linux")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, batch @ ..] = arguments.as_slice()
        && flag == child::FLAG
    {
        return child::play(batch);
    }
    let cases = documents::cases();
    let accepted = read_all(&cases);
    let mut classes = std::collections::HashSet::new();
    let mut chosen: Vec<_> = accepted.into_iter().filter(|case| classes.insert(&case.class)).collect();
    println!("figure: hostile_replay_classes = {}", chosen.len());
    if !arguments.iter().any(|argument| argument == "--all") {
        chosen = chosen.iter().step_by((chosen.len() / PLAYED).max(1)).copied().collect();
    }
    play::play_all(&chosen);
    println!("figure: hostile_replays_played = {}", chosen.len());
}

/// Reads all cases, checks the messages of those that are refused, and returns the others.
#[cfg(target_os = "linux")]
fn read_all(cases: &[documents::Case]) -> Vec<&documents::Case> {
    assert_eq!(documents::read(&cases[0]), Ok(()), "the unchanged replay");
    let (mut accepted, mut refused) = (Vec::new(), 0);
    for case in cases {
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
    accepted
}

#[cfg(not(target_os = "linux"))]
fn main() {}
