//! Compares the output of `region` events with the dumped ID image and with picks of its pixels.

use crate::viewer::*;

#[test]
fn region_hits_match_picks_of_its_pixels() {
    let mut replay = json_file(&replay_folder().join("region-rectangles.json"));
    let events = replay["events"].as_array().expect("the value is an array").clone();
    let out = Folder::new();
    let played = lines(&out, replay.clone());
    let [width, height] = numbers::<2>(&replay["size_px"]).map(|side| side as usize);
    let dump = Dump::read(&out.path().join("ids.bin"), &replay);
    let id = |x: usize, y: usize| dump.id(x as i64, y as i64);
    let mut sizes = Vec::new();
    for (event, line) in events.iter().zip(&played).filter(|(event, _)| event.get("region").is_some()) {
        let [x0, y0, x1, y1] = numbers::<4>(&event["region"]);
        let inside =
            |at: usize, a: f64, b: f64| (at as f64 + 0.5) >= a.min(b) && (at as f64 + 0.5) < a.max(b);
        // One pixel per id, in the order of the ids.
        let mut pixels: BTreeMap<u32, [usize; 2]> = BTreeMap::new();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            if inside(x, x0, x1) && inside(y, y0, y1) && id(x, y) != 0 {
                pixels.entry(id(x, y)).or_insert([x, y]);
            }
        }
        let picks: Vec<Value> = pixels.values().map(|pixel| json!({ "pick": pixel })).collect();
        replay["events"] = Value::from(picks);
        let picked: Vec<Value> = lines(&out, replay.clone()).iter().map(|line| line["hit"].clone()).collect();
        assert_eq!(line["hits"], Value::from(picked), "{event}");
        sizes.push(pixels.len());
    }
    assert!(sizes.contains(&0) && sizes.contains(&1) && sizes.iter().any(|size| *size > 5), "{sizes:?}");
}
