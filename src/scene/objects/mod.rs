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
    use crate::shader_tests::{agree, agree_on_uniform, offsets};
    use std::mem::size_of;

    #[test]
    fn rust_and_wgsl_agree_on_objects() {
        agree(&CORNER_LAYOUT, (SHADER, "Corner"), &[("position", 0)], 12);
        let [(_, rows), low, id] = offsets!(ObjectInstance: rows low id);
        let instance = [("row_x", rows), ("row_y", rows + 16), ("row_z", rows + 32), low, id];
        agree(&INSTANCE_LAYOUT, (SHADER, "Object"), &instance, size_of::<ObjectInstance>());
        let camera = offsets!(Camera: clip_from_anchor anchor_high anchor_low half_size);
        agree_on_uniform((SHADER, "Camera"), &camera, size_of::<Camera>());
    }
}
