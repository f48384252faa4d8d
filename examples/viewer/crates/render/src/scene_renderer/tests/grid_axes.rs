//! Tests of the colors of the grid's axes.

use super::*;
use wgpu_gizmo::Theme;

/// Returns the linear light of a picture's texel.
fn light([r, g, b, _]: [u8; 4]) -> DVec3 {
    DVec3::from([r, g, b].map(|c| linear(f64::from(c) / 255.0)))
}

#[test]
fn grid_axes_have_colors_of_theme() {
    let projection = Projection::Orthographic { height: 4.0, near: -50.0, far: 50.0, reversed: true };
    let views = [([0.0, 0.0, 9.0], [0, 1]), ([9.0, 0.0, 0.0], [1, 2])];
    let of_theme = |theme: Theme, axis: usize| {
        let [r, g, b, _] = theme.colors.axes[axis].map(|channel| (255.0 * channel).round() as u8);
        light([r, g, b, 255])
    };
    let mut seen = 0;
    for (eye, axes) in views {
        let view = look(eye, [0.0; 3], projection);
        let [dark, safe] = [Theme::dark(), Theme::color_blind_safe()].map(|theme| {
            let scene_style = SceneStyle { theme, ..SceneStyle::default() };
            picture(&Scene::default(), &view, scene_style, "grid")
        });
        for axis in axes {
            let texel = texel_of(&view, 0.25 * DVec3::AXES[axis]);
            // Whatever the opacity, only the color of the axis differs between the themes.
            let differs = light(safe[texel]) - light(dark[texel]);
            let wanted = of_theme(Theme::color_blind_safe(), axis) - of_theme(Theme::dark(), axis);
            assert!(differs.length() > 0.03, "axis {axis}: {differs}");
            let angle = differs.angle_between(wanted);
            // A step of 1 / 255 changes the smallest difference by this angle.
            assert!(angle < 0.2, "axis {axis}: {differs}, not like {wanted}");
            seen += 1;
        }
    }
    assert_eq!(seen, 4);
}
