//! Every handle with its halo contrasts with what is behind it: WCAG 2.2, 1.4.11, asks for 3 : 1.

use crate::common::prelude::*;

const MIN_CONTRAST: f64 = 3.0;
/// The share of the pixels along the outline of a handle that contrast. Where an edge runs through pixels, its
/// halo covers parts of them only.
const MIN_SHARE: f64 = 2.0 / 3.0;
/// The maximum distance in pixels between a pixel of the outline and a contrasting one.
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

/// One handle alone in a picture.
struct Alone {
    size: [usize; 2],
    ids: Vec<u32>,
    layer: Layer,
}

impl Alone {
    fn new(handle: HandleId, theme: Theme, scale_factor: f64) -> Self {
        let mut case = cases::named("reversed depth, infinite far");
        let lens = rh::proj::directx::perspective_infinite_reverse(0.3, 4.0 / 3.0, 0.1);
        let camera = [DVec3::new(2.0, 2.5, 6.0), DVec3::ZERO];
        case.view = cases::view(camera, lens, case.view.viewport(), scale_factor);
        let list = alone(&case.view, handle, theme.with(|t| t.letters = false));
        let ids = gpu().id_image(case.target, &case.view, &list).ids;
        let [dark, light] = [0.0, 1.0].map(|gray| picture(&case, PLAIN, gray, &list));
        Self { size: case.target.map(|side| side as usize), ids, layer: Layer { dark, light } }
    }

    /// Returns the columns and rows of the pixels of the handle that are beside a pixel without an id.
    fn outline(&self) -> Vec<[usize; 2]> {
        let [width, height] = self.size;
        let is_free = |[x, y]: [usize; 2]| self.ids[y * width + x] == 0;
        let inner = (REACH..height - REACH).flat_map(|y| (REACH..width - REACH).map(move |x| [x, y]));
        inner
            .filter(|at| !is_free(*at))
            .filter(|[x, y]| [[x - 1, *y], [x + 1, *y], [*x, y - 1], [*x, y + 1]].into_iter().any(is_free))
            .collect()
    }

    /// Returns the share of some pixels that contrast with a background, or have one near that does.
    fn share(&self, outline: &[[usize; 2]], background: [f64; 3]) -> f64 {
        let contrasts = |[x, y]: &&[usize; 2]| {
            let mut near = (y - REACH..=y + REACH).flat_map(|y| (x - REACH..=x + REACH).map(move |x| [x, y]));
            near.any(|[x, y]| {
                let seen = self.layer.over(y * self.size[0] + x, background);
                contrast(seen, background) >= MIN_CONTRAST
            })
        };
        outline.iter().filter(contrasts).count() as f64 / outline.len() as f64
    }
}

#[test]
fn handles_contrast_with_common_backgrounds() {
    let (mut compared, mut failures) = (0, Vec::new());
    let themes =
        [("dark", Theme::dark()), ("light", Theme::light()), ("color-blind-safe", Theme::color_blind_safe())];
    // A hovered or dragged handle has one color.
    let in_one =
        |theme: Theme, color| theme.with(|t| (t.colors.axes, t.colors.neutral) = ([color; 3], color));
    let states = themes.into_iter().flat_map(|(name, theme)| {
        let axes = theme.colors.axes.map(|[r, g, b, _]| [r, g, b].map(f64::from));
        let hovered = ("hovered", in_one(theme, theme.colors.hovered));
        let active = ("active", in_one(theme, theme.colors.active));
        [("idle", theme), hovered, active].map(|(state, theme)| (format!("{name}, {state}"), theme, axes))
    });
    for (name, theme, axes) in states {
        let backgrounds = [[0.0; 3], [0.5; 3], [1.0; 3], axes[0], axes[1], axes[2]];
        for scale_factor in [1.0, 2.0] {
            // The trackball is faint on purpose.
            for handle in HandleId::all().filter(|handle| handle.name() != "rotate_trackball") {
                let alone = Alone::new(handle, theme, scale_factor);
                let outline = alone.outline();
                assert!(outline.len() > 20, "{}: {} pixels", handle.name(), outline.len());
                for background in backgrounds {
                    let share = alone.share(&outline, background);
                    compared += 1;
                    if share < MIN_SHARE {
                        let what = format!("{}, {name}, at {scale_factor}", handle.name());
                        failures.push(format!("{what} on {background:?}: {share:.2}"));
                    }
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
    assert!(failures.is_empty(), "{} fail: {failures:#?}", failures.len());
}
