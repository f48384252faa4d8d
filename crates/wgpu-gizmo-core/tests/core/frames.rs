//! Reference frames (§8 of docs/spec.md).

use crate::prelude::*;

/// Returns the drawn directions of the arrows or scale handles, NaN if one is hidden.
fn drawn_axes(stage: &mut Stage, kind: &str) -> DMat3 {
    let list = stage.draw();
    DMat3::from_cols_array_2d(&["x", "y", "z"].map(|axis| {
        let id = stage.gizmo.id_of(handle(&format!("{kind}_{axis}")));
        let stem = list.items().iter().find(|item| item.id == Some(id) && item.mesh == MeshKind::Stem);
        stem.map_or(DVec3::NAN, |item| item.world_from_part.matrix3.x_axis.normalize()).to_array()
    }))
}

/// Returns true if all drawn axes equal the expected ones. Glancing handles are not drawn.
fn drawn_axes_equal(drawn: DMat3, expected: DMat3) -> bool {
    (0..3).all(|i| drawn.col(i).is_nan() || drawn.col(i).distance(expected.col(i)) < 1e-7)
}

/// Returns true if `axes` is the rotation of the polar decomposition of `linear`, by definition: the
/// remaining stretch is symmetric and positive definite.
fn is_polar_rotation(axes: DMat3, linear: DMat3) -> bool {
    let mut upright = linear;
    if linear.determinant() < 0.0 {
        upright.x_axis = -upright.x_axis;
    }
    let stretch = axes.transpose() * upright;
    let size = stretch.to_cols_array().iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    let symmetric = (stretch - stretch.transpose()).to_cols_array().iter().all(|e| e.abs() < 1e-8 * size);
    let minor = stretch.x_axis.x * stretch.y_axis.y - stretch.x_axis.y * stretch.y_axis.x;
    let rotation = (axes * axes.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-9) && axes.determinant() > 0.0;
    rotation && symmetric && stretch.x_axis.x > 0.0 && minor > 0.0 && stretch.determinant() > 0.0
}

fn sheared_and_mirrored(rng: &mut Rng) -> DMat4 {
    let mut shear = DMat4::IDENTITY;
    shear.y_axis.x = rng.f64() * 2.0 - 1.0;
    let stretch = DVec3::from_array(std::array::from_fn(|_| {
        magnitude(rng, -0.5, 0.5) * if rng.bool() { 1.0 } else { -1.0 }
    }));
    DMat4::from_quat(rotation(rng)) * shear * DMat4::from_scale(stretch)
}

fn stage(rng: &mut Rng, orientation: Orientation) -> Stage {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.settings.orientation = orientation;
    let camera = Camera::at(direction(rng) * 5.0);
    stage.shot = views::ALL[rng.usize(..views::ALL.len())].shot(&camera);
    let local = Transform {
        rotation: rotation(rng) * 3.0,
        scale: DVec3::new(magnitude(rng, -0.5, 0.5), 0.5, -2.0),
        ..Transform::IDENTITY
    };
    stage.targets = vec![Target::new(local, sheared_and_mirrored(rng))];
    stage
}

#[test]
fn handles_follow_each_orientation() {
    let mut checked = [0; 2];
    cases(5_000, |rng| {
        let chosen = rotation(rng);
        let mut stage = stage(rng, Orientation::World);
        let target = stage.targets[0];
        let mut axes = |orientation| {
            stage.gizmo.settings.orientation = orientation;
            stage.update();
            drawn_axes(&mut stage, "translate")
        };
        assert!(drawn_axes_equal(axes(Orientation::World), DMat3::IDENTITY));
        assert!(drawn_axes_equal(axes(Orientation::Custom(chosen)), DMat3::from_quat(chosen)));
        assert!(drawn_axes_equal(axes(Orientation::Custom(chosen * -7.5)), DMat3::from_quat(chosen)));
        let parent = axes(Orientation::Parent);
        if !parent.is_nan() {
            assert!(is_polar_rotation(parent, DMat3::from_mat4(target.world_from_parent)), "{parent}");
        }
        let local = axes(Orientation::Local);
        let linear = DMat3::from_mat4(target.world_from_parent * matrix(&target.local));
        assert!(local.is_nan() || is_polar_rotation(local, linear), "{local}");
        checked[0] += u32::from(!parent.is_nan());
        checked[1] += u32::from(!local.is_nan());
        let seen = axes(Orientation::View);
        let [x, y] = [0, 1].map(|i| stage.shot.view_from_world.row(i).truncate().normalize());
        for (drawn, expected) in [(seen.x_axis, x), (seen.y_axis, y), (seen.z_axis, x.cross(y))] {
            assert!(drawn.is_nan() || drawn.distance(expected) < 1e-6, "{drawn} for {expected}");
        }
        // Scale handles are always local.
        stage.gizmo.settings.mode = Mode::Scale;
        stage.update();
        let scales = drawn_axes(&mut stage, "scale");
        assert!(scales.is_nan() || is_polar_rotation(scales, linear), "{scales}");
    });
    // Glancing handles are hidden in the other cases.
    assert!(checked.iter().all(|count| *count > 4_000), "{checked:?}");
}
