//! Crop boxes cut the picks, and can be undone.

use crate::viewer::*;

/// The pixels of points to the right and to the left of the middle of the front face.
const RIGHT: [i64; 2] = [224, 200];
const LEFT: [i64; 2] = [176, 200];

#[test]
fn crop_box_cuts_what_is_picked_until_undo() {
    let drive = json!({ "drive": { "handle": "box_+x", "amount": 0.5 } });
    let picks = [json!({ "pick": RIGHT }), json!({ "pick": LEFT })];
    let region = json!({ "region": [RIGHT[0], RIGHT[1] - 4, RIGHT[0] + 8, RIGHT[1] + 4] });
    let [right, left] = picks;
    let replay = json!({
        "size_px": [400, 400],
        "camera": perspective([0.0, 0.0, 5.0], 50.0),
        "scene": { "objects": [cube("a", None, [0.0; 3])] },
        "settings": { "mode": "none", "box": "extents" },
        "select": ["a"],
        "events": [
            { "handles": true }, right, { "select": ["a"] }, drive, { "select": [] }, right, left, region,
            { "undo": true }, right
        ],
    });
    let found = lines(&Folder::new(), replay);
    assert!(found[0]["handles"]["box_+x+y+z"].is_object(), "{}", found[0]);
    let a = json!({ "object": "a" });
    assert_eq!(found[1]["hit"], a);
    assert_eq!(found[3]["extents"]["a"], json!([[-0.5, -0.5, -0.5], [0.0, 0.5, 0.5]]));
    assert_eq!((&found[5]["hit"], &found[6]["hit"]), (&Value::Null, &a), "the right half is gone");
    assert_eq!(found[7]["hits"], json!([]));
    assert_eq!(found[9]["hit"], a, "it is there again");
}
