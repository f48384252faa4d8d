//! The view cube, clicked on every kind of side with a real mouse, and turned.

use super::{SIZE, hand::Hand};
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl Hand {
    /// The pixel in the middle of what is seen of each side of the cube, by the side's name.
    fn sides(&self) -> BTreeMap<String, [i64; 2]> {
        // The square that it is in, in the top right corner.
        let places = (0..50).flat_map(|row| (0..50).map(move |column| (column, row)));
        let places: Vec<[i64; 2]> =
            places.map(|(x, y)| [i64::from(SIZE[0]) - 104 + 2 * x, 6 + 2 * y]).collect();
        let picks: Vec<Value> = places.iter().map(|at| json!({ "pick": at })).collect();
        let lines = self.asked(&picks);
        let mut seen: BTreeMap<String, Vec<[i64; 2]>> = BTreeMap::new();
        for (at, line) in places.iter().zip(&lines) {
            if let Some(side) = line["hit"]["view_cube"].as_str() {
                seen.entry(side.to_owned()).or_default().push(*at);
            }
        }
        let middle = |places: Vec<[i64; 2]>| {
            let count = i64::try_from(places.len()).expect("few");
            [0, 1].map(|i| places.iter().map(|at| at[i]).sum::<i64>() / count)
        };
        seen.into_iter().map(|(side, places)| (side, middle(places))).collect()
    }
}

#[test]
fn clicks_on_faces_edges_and_corners_of_the_view_cube_look_from_there() {
    let mut hand = Hand::new("window-cube");
    let mut sides = hand.sides();
    // Each is seen from where the click before it has led.
    for side in ["+x", "+x+y", "+x+y+z", "+z"] {
        hand.click(*sides.get(side).unwrap_or_else(|| panic!("{side} is not in {sides:?}")), &[]);
        hand.shows(&format!("after a click on {side}"));
        // What is looked at from there is square to the viewer: it is in the middle of the cube.
        sides = hand.sides();
        let off = |at: &[i64; 2]| (at[0] - (i64::from(SIZE[0]) - 56)).pow(2) + (at[1] - 56).pow(2);
        let nearest = sides.iter().min_by_key(|(_, at)| off(at)).map(|(side, _)| side.as_str());
        assert_eq!(nearest, Some(side), "{sides:?}");
    }
}

#[test]
fn the_view_cube_is_turned_in_one_of_four_views_and_a_node_is_dragged_as_seen_from_there() {
    let mut hand = Hand::new("window-cube-four");
    hand.click_node("crate", &[]);
    // Before it can be known what was clicked: it was a click in the one view.
    hand.keys(&[("f4", "F4")]);
    hand.go([1224, 56]);
    hand.press(&[]);
    hand.go_through(&[[1200, 70], [1160, 90], [1121, 83]]);
    hand.shows("with the cube held");
    hand.release(&[]);
    hand.shows("after it");
    let line = hand.drag("translate_x", &[[10, 4], [24, 9]]);
    assert_ne!(line["targets"]["crate"]["translation"][0], 1.35, "{line}");
}
