//! The layout of the ID image for WebGL gives the answers of the layout for everything else. With
//! `WGPU_GIZMO_WEBGL_LIMITS=1`, all tests use it.

use crate::common::prelude::*;
use crate::{geometry, picker, protocol::texels, region};

#[expect(clippy::disallowed_methods, reason = "the device is chosen for a whole thread")]
#[test]
fn packed_ids_answer_like_separate_ids() {
    let packed = std::thread::spawn(|| {
        use_webgl_limits_on_this_thread();
        assert_eq!(object_pass::color_targets(device()).len(), 1);
        texels::ids_are_exact_from_one_to_max();
        picker::exact_and_tolerant_picks_are_those_of_whole_image();
        geometry::answer_position_lies_on_triangle_under_pixel();
        region::regions_find_visible_ids_and_every_object_with_a_pixel();
    });
    packed.join().expect("no answer is another one");
}
