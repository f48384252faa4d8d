//! Tests of clicking every kind of side of the view cube with a real mouse, and of turning it.

use super::{SIZE, driver::Driver};
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl Driver {
    /// Returns the center pixel of the visible area of each side of the cube, by the side's name.
    fn sides(&self) -> BTreeMap<String, [i64; 2]> {
        // The square in the top right corner that contains the cube.
        let pixels = (0..50).flat_map(|row| (0..50).map(move |column| (column, row)));
        let pixels: Vec<[i64; 2]> =
            pixels.map(|(x, y)| [i64::from(SIZE[0]) - 104 + 2 * x, 6 + 2 * y]).collect();
        let picks: Vec<Value> = pixels.iter().map(|at| json!({ "pick": at })).collect();
        let lines = self.ask(&picks);
        let mut seen: BTreeMap<String, Vec<[i64; 2]>> = BTreeMap::new();
        for (at, line) in pixels.iter().zip(&lines) {
            if let Some(side) = line["hit"]["view_cube"].as_str() {
                seen.entry(side.to_owned()).or_default().push(*at);
            }
        }
        let center = |pixels: Vec<[i64; 2]>| {
            let count = i64::try_from(pixels.len()).expect("the count fits");
            [0, 1].map(|i| pixels.iter().map(|at| at[i]).sum::<i64>() / count)
        };
        seen.into_iter().map(|(side, pixels)| (side, center(pixels))).collect()
    }
}

#[test]
fn clicks_on_view_cube_look_from_clicked_side() {
    let mut driver = Driver::new("window-cube");
    let mut sides = driver.sides();
    // Each side is visible from the view of the previous click.
    for side in ["+x", "+x+y", "+x+y+z", "+z"] {
        driver.click(*sides.get(side).unwrap_or_else(|| panic!("{side} is not in {sides:?}")), &[]);
        driver.assert_shows(&format!("after a click on {side}"));
        // The clicked side now faces the viewer, at the center of the cube.
        sides = driver.sides();
        let off = |at: &[i64; 2]| (at[0] - (i64::from(SIZE[0]) - 56)).pow(2) + (at[1] - 56).pow(2);
        let nearest = sides.iter().min_by_key(|(_, at)| off(at)).map(|(side, _)| side.as_str());
        assert_eq!(nearest, Some(side), "{sides:?}");
    }
}

#[test]
fn node_is_dragged_after_turning_cube_in_quad_view() {
    let mut driver = Driver::new("window-cube-four");
    driver.click_node("crate", &[]);
    driver.keys(&[("f4", "F4")]);
    driver.move_to([1224, 56]);
    driver.press(&[]);
    driver.move_along(&[[1200, 70], [1160, 90], [1121, 83]]);
    driver.assert_shows("with the cube held");
    driver.release(&[]);
    driver.assert_shows("after the release");
    let line = driver.drag("translate_x", &[[10, 4], [24, 9]]);
    assert_ne!(line["targets"]["crate"]["translation"][0], 1.35, "{line}");
}
