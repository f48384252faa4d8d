//! Compares the picks and handles that a replay prints with the ID image that it dumps.

use crate::viewer::*;
use std::collections::{HashMap, HashSet};

/// An ID image as a replay writes it.
struct Dump {
    width: usize,
    height: usize,
    ids: Vec<u32>,
}

/// The number of lines that were compared with a dump.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Compared {
    pub(crate) handles: usize,
    pub(crate) picks: usize,
}

/// Compares every pick and list of handles with the dump of the same state, if there is one.
pub(crate) fn compare(replay: &Value, lines: &[Value], out: &Folder) -> Compared {
    let events = replay["events"].as_array().expect("the value is an array");
    let (mut dump, mut compared) = (None, Compared::default());
    let mut names = HashSet::new();
    let mut named: HashMap<u64, Value> = HashMap::new();
    // A dump is valid until the next event that changes the state.
    for (index, (event, line)) in events.iter().zip(lines).enumerate() {
        let kind = kind_of(event);
        match kind {
            "dump_ids" => {
                let name = event[kind].as_str().expect("the value is a string");
                assert!(names.insert(name), "{name} is dumped twice, which overwrites the first dump");
                let path = out.path().join(name);
                assert_eq!(line["path"], path.to_str().expect("the path is UTF-8"));
                dump = Some(Dump::read(&path, replay));
            }
            "handles" if events.get(index + 1).is_some_and(|next| kind_of(next) == "dump_ids") => {}
            "handles" | "pick" | "screenshot" | "expect" => {}
            _ => dump = None,
        }
        let Some(dump) = &dump else { continue };
        // The `handles` event comes right before the dump.
        let previous = index.checked_sub(1).filter(|_| kind == "dump_ids").map(|index| &lines[index]);
        if let Some(handles) = previous.and_then(|line| line["handles"].as_object()) {
            for (name, handle) in handles {
                dump.check(name, handle);
                named.insert(handle["id"].as_u64().expect("the id is a number"), Value::from(name.as_str()));
            }
            compared.handles += handles.len();
        }
        if kind == "pick" {
            let id = line["id"].as_u64().expect("the id is a number");
            let [x, y] = numbers::<2>(&event["pick"]);
            assert_eq!(id, u64::from(dump.id(x as i64, y as i64)), "{line}");
            let hit = named.entry(id).or_insert_with(|| line["hit"].clone());
            assert_eq!(*hit, line["hit"], "an id stands for one object");
            compared.picks += 1;
        }
    }
    compared
}

impl Dump {
    /// Reads the ID image that a replay has written.
    fn read(path: &Path, replay: &Value) -> Self {
        let [width, height] = numbers::<2>(&replay["size_px"]).map(|side| side as usize);
        let bytes = std::fs::read(path).expect("the ID image was written");
        assert_eq!(bytes.len(), 4 * width * height, "one u32 per pixel of the render target");
        let ids = bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        Self { width, height, ids: ids.collect() }
    }

    fn id(&self, x: i64, y: i64) -> u32 {
        let inside = x >= 0 && y >= 0 && x < self.width as i64 && y < self.height as i64;
        if inside { self.ids[y as usize * self.width + x as usize] } else { 0 }
    }

    fn check(&self, name: &str, handle: &Value) {
        let id = u32::try_from(handle["id"].as_u64().expect("the id is a number")).expect("the id is a u32");
        let count = self.ids.iter().filter(|texel| **texel == id).count();
        assert_eq!(handle["pixels"], count, "pixels of {name}");
        let [x, y] = numbers::<2>(&handle["at"]);
        assert_eq!(self.id(x as i64, y as i64), id, "`at` of {name}");
        // Chebyshev distances to the nearest texel with another id.
        let at = y as usize * self.width + x as usize;
        let depth = (0..).take_while(|reach| self.has_ring(id, at, *reach)).count() as i64;
        // The viewer uses another metric, which may differ. For an edge-on ring it prefers the midpoint,
        // although its ends are deeper.
        let min_percent = if name.len() == "rotate_x".len() && name.starts_with("rotate_") { 50 } else { 75 };
        let max_depth = 100 * depth / min_percent;
        let is_deeper = |texel: &usize| (0..=max_depth).rev().all(|reach| self.has_ring(id, *texel, reach));
        let deeper = (0..self.ids.len()).filter(|texel| self.ids[*texel] == id).find(is_deeper);
        assert_eq!(deeper, None, "`at` of {name} has depth {depth}, this texel more than {max_depth}");
    }

    /// Returns true if the square ring with this half side around a texel has this id.
    fn has_ring(&self, id: u32, texel: usize, reach: i64) -> bool {
        let (x, y) = ((texel % self.width) as i64, (texel / self.width) as i64);
        let ring = (-reach..=reach).flat_map(|by| [(by, -reach), (by, reach), (-reach, by), (reach, by)]);
        { ring }.all(|(right, down)| self.id(x + right, y + down) == id)
    }
}

#[test]
fn handles_are_in_id_image_of_every_view() {
    let replay = json_file(&replay_folder().join("quad-drags.json"));
    let out = Folder::new();
    let lines = lines(&out, replay.clone());
    let Dump { width, height, ids } = Dump::read(&out.path().join("ids.bin"), &replay);
    let picked = lines.iter().filter(|line| line["hit"].is_string()).map(|line| &line["id"]);
    let center = picked.filter_map(Value::as_u64).next().expect("the first pick hits a handle");
    let mut found = [0; 4];
    for (index, _) in ids.iter().enumerate().filter(|(_, id)| u64::from(**id) == center) {
        let (x, y) = (index % width, index / width);
        found[usize::from(2 * x >= width) + 2 * usize::from(2 * y >= height)] += 1;
    }
    assert!(found.iter().all(|count| *count > 50), "{found:?}");
}
