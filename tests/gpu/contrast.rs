//! Every handle with its halo contrasts with what is behind it: WCAG 2.2, 1.4.11, asks for 3 : 1.

use crate::common::cases;
use crate::common::device::gpu;
use crate::common::host::{PLAIN, picture};
use wgpu_gizmo::glam::{DVec3, dcamera::rh};
use wgpu_gizmo::handle::HandleSet;
use wgpu_gizmo::{DrawList, Gizmo, HandleId, IdSpace, Mode, Target, Theme, Transform, View};

const MIN_CONTRAST: f64 = 3.0;
/// The share of the pixels along the outline of a handle that contrast: on the others, the edge and the
/// halo cover parts of the same pixels.
const MIN_SHARE: f64 = 0.95;
/// How far from a pixel of the outline the contrasting one is.
const REACH: usize = 2;

/// The relative luminance of an sRGB color.
fn luminance(color: [f64; 3]) -> f64 {
    let [r, g, b] = color.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let [a, b] = [a, b].map(luminance);
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// A picture over any background, from those over black and white.
struct Layer {
    dark: Vec<[u8; 4]>,
    light: Vec<[u8; 4]>,
}

impl Layer {
    fn over(&self, i: usize, background: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|channel| {
            let [dark, light] = [&self.dark, &self.light].map(|image| f64::from(image[i][channel]) / 255.0);
            dark + (light - dark) * background[channel]
        })
    }
}

#[test]
fn handles_contrast_with_common_backgrounds() {
    let mut compared = 0;
    for (name, theme) in [("dark", Theme::dark()), ("color-blind-safe", Theme::color_blind_safe())] {
        let axes = theme.axes.map(|[r, g, b, _]| [r, g, b].map(f64::from));
        let grays = [0.0, 0.5, 1.0].map(|gray| [gray; 3]);
        for scale_factor in [1.0, 2.0] {
            // The trackball is faint on purpose.
            for handle in HandleId::all().filter(|handle| handle.name() != "rotate_trackball") {
                let mut case = cases::named("reversed depth, infinite far");
                let camera = rh::view::look_at_mat4(DVec3::new(2.0, 2.5, 6.0), DVec3::ZERO, DVec3::Y);
                let projection = rh::proj::directx::perspective_infinite_reverse(0.3, 4.0 / 3.0, 0.1);
                case.view =
                    View::new(camera, projection, case.view.viewport(), scale_factor).expect("a valid view");
                let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a free range of ids");
                gizmo.settings.mode = Mode::Handles(HandleSet::EMPTY.with(handle));
                gizmo.theme = Theme { letters: false, ..theme };
                gizmo.update(&case.view, &mut [Target::from_world(Transform::IDENTITY)]);
                let mut list = DrawList::new();
                gizmo.draw(list.begin(&case.view));
                let ids = gpu().id_image(case.target, &case.view, &list).ids;
                let [dark, light] = [0.0, 1.0].map(|gray| picture(&case, PLAIN, gray, &list));
                let layer = Layer { dark, light };
                let [width, height] = case.target.map(|side| side as usize);
                let is_inner = |x: usize, y: usize| {
                    (REACH..width - REACH).contains(&x) && (REACH..height - REACH).contains(&y)
                };
                let outline: Vec<(usize, usize)> = (0..width * height)
                    .map(|i| (i % width, i / width))
                    .filter(|(x, y)| is_inner(*x, *y) && ids[y * width + x] != 0)
                    .filter(|(x, y)| {
                        [y * width + x - 1, y * width + x + 1, (y - 1) * width + x, (y + 1) * width + x]
                            .into_iter()
                            .any(|i| ids[i] == 0)
                    })
                    .collect();
                assert!(outline.len() > 20, "{} has {} pixels on its outline", handle.name(), outline.len());
                for background in grays.into_iter().chain(axes) {
                    let contrasts = |(x, y): &&(usize, usize)| {
                        let mut rows = y - REACH..=y + REACH;
                        rows.any(|y| {
                            (x - REACH..=x + REACH).any(|x| {
                                let seen = layer.over(y * width + x, background);
                                contrast(seen, background) >= MIN_CONTRAST
                            })
                        })
                    };
                    let enough = outline.iter().filter(contrasts).count();
                    let share = enough as f64 / outline.len() as f64;
                    compared += 1;
                    assert!(
                        share >= MIN_SHARE,
                        "{} in theme {name} at {scale_factor} on {background:?}: {enough} of {}",
                        handle.name(),
                        outline.len()
                    );
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
}
