//! The host's instanced meshes in the ID image, and the culling that makes a pick among a million
//! objects as cheap as one among a thousand.

mod balls;
mod batch;
mod inner_ball;
mod instance;
mod mesh;
mod occlusion;
mod scene;

pub use batch::PickBatch;
pub use mesh::{PickMesh, PickMeshKey};
#[cfg(all(test, feature = "native"))]
pub(crate) use scene::SHADER;
pub use scene::{PickObject, PickObjectKey, PickScene};

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::batch::Camera;
    use super::instance::{INSTANCE_LAYOUT, ObjectInstance};
    use super::mesh::CORNER_LAYOUT;
    use super::scene::SHADER;
    use crate::shader_tests::{agree, agree_on_uniform};
    use std::mem::{offset_of, size_of};

    #[test]
    fn rust_and_wgsl_agree_on_objects() {
        agree(&CORNER_LAYOUT, (SHADER, "Corner"), &[("position", 0)], 12);
        let rows = offset_of!(ObjectInstance, rows);
        let instance = [
            ("row_x", rows),
            ("row_y", rows + 16),
            ("row_z", rows + 32),
            ("low", offset_of!(ObjectInstance, low)),
            ("id", offset_of!(ObjectInstance, id)),
        ];
        agree(&INSTANCE_LAYOUT, (SHADER, "Object"), &instance, size_of::<ObjectInstance>());
        let camera = [
            ("clip_from_anchor", offset_of!(Camera, clip_from_anchor)),
            ("anchor_high", offset_of!(Camera, anchor_high)),
            ("anchor_low", offset_of!(Camera, anchor_low)),
            ("half_size", offset_of!(Camera, half_size)),
        ];
        agree_on_uniform((SHADER, "Camera"), &camera, size_of::<Camera>());
    }
}
