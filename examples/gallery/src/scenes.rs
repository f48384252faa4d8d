//! The scenes of the page. The page shows the code between the markers.

use crate::curve::Curve;
use crate::scene::{Gpu, Scene};
use crate::settings::Setting;
use crate::shapes::Shape;
use crate::solids::Solids;
use crate::stage::{Layout, Stage};
use std::error::Error;
use std::rc::Rc;
use wgpu_gizmo::draw::DepthStyle;
use wgpu_gizmo::glam::{DQuat, DVec3};
use wgpu_gizmo::interaction::settings::{BoxHandles, Pivot, SnapKind};
use wgpu_gizmo::{Increment, Mode, Orientation, Snap, Transform};

/// A scene before it is built.
pub(crate) struct SceneInfo {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) settings: &'static [Setting],
    /// The names of the snippets that the page shows.
    pub(crate) code: &'static [&'static str],
    pub(crate) build: Build,
}

/// Builds a scene.
#[derive(Clone, Copy)]
pub(crate) enum Build {
    Stage(fn(&mut Stage) -> Outcome),
    Curve,
}

type Outcome = Result<(), Box<dyn Error>>;

const BLUE: [f32; 3] = [0.45, 0.60, 0.86];
const CORAL: [f32; 3] = [0.93, 0.54, 0.46];
const GREEN: [f32; 3] = [0.50, 0.73, 0.55];
const SAND: [f32; 3] = [0.93, 0.80, 0.55];
const VIOLET: [f32; 3] = [0.68, 0.58, 0.86];

impl SceneInfo {
    pub(crate) fn build(&self, gpu: &Gpu, solids: &Rc<Solids>) -> Result<Box<dyn Scene>, Box<dyn Error>> {
        match self.build {
            Build::Stage(build) => {
                let mut stage = Stage::new(gpu, solids)?;
                build(&mut stage)?;
                Ok(Box::new(stage))
            }
            Build::Curve => Ok(Box::new(Curve::new(gpu)?)),
        }
    }
}

use Setting::{Angle, Axes, Construction, Depth, Flip, Increments, KeepAspect, Kind, Letters};
use Setting::{Object, Orient, PivotPoint, Shear, Size, SnapOn, Wheel};

/// All scenes, in the order of the page.
pub(crate) const SCENES: &[SceneInfo] = &[
    SceneInfo {
        name: "translate",
        title: "Translate",
        text: "Drag an arrow, a square, or the middle. The grabbed point stays under the pointer.",
        settings: &[Orient, Size, Letters, Flip, Construction],
        code: &["translate", "update"],
        build: Build::Stage(translate),
    },
    SceneInfo {
        name: "rotate",
        title: "Rotate",
        text: "Drag a ring, also for more than a whole turn. The ball between the rings turns freely.",
        settings: &[Orient, SnapOn, Angle, Letters, Wheel],
        code: &["rotate"],
        build: Build::Stage(rotate),
    },
    SceneInfo {
        name: "scale",
        title: "Scale",
        text: "Drag the end of an axis, a square, or the middle. The handles follow the axes of the object.",
        settings: &[SnapOn, Size, Letters],
        code: &["scale"],
        build: Build::Stage(scale),
    },
    SceneInfo {
        name: "universal",
        title: "Universal",
        text: "Move, turn and scale without a change of mode: each arrow, square, ring and end can be grabbed.",
        settings: &[Orient, Size, Flip],
        code: &["universal"],
        build: Build::Stage(universal),
    },
    SceneInfo {
        name: "several",
        title: "Several targets",
        text: "Choose the point that three objects turn about, and drag. Click to select; Shift adds.",
        settings: &[PivotPoint, Setting::Mode, Orient, Axes],
        code: &["several"],
        build: Build::Stage(several),
    },
    SceneInfo {
        name: "parents",
        title: "Parents",
        text: "Click a link of the arm and drag it: its children follow, and keep their own transforms.",
        settings: &[Object, Setting::Mode, Orient, Shear],
        code: &["parents", "targets"],
        build: Build::Stage(parents),
    },
    SceneInfo {
        name: "snapping",
        title: "Snapping",
        text: "Drag, and hold Ctrl to switch snapping, or Shift for a tenth of the speed.",
        settings: &[SnapOn, Increments, Kind, Setting::Mode],
        code: &["snapping"],
        build: Build::Stage(snapping),
    },
    SceneInfo {
        name: "box",
        title: "Box handles",
        text: "Drag a face, an edge or a corner; the opposite side stays. Alt moves both sides.",
        settings: &[KeepAspect, SnapOn],
        code: &["box"],
        build: Build::Stage(boxes),
    },
    SceneInfo {
        name: "depth",
        title: "Depth styles",
        text: "Choose a style, and drag the handles behind an object: on top, dimmed, hatched or hidden.",
        settings: &[Depth, Setting::Mode, Orient],
        code: &["depth", "prepare"],
        build: Build::Stage(depth),
    },
    SceneInfo {
        name: "curve",
        title: "Custom handles",
        text: "Drag a control point of the Bézier curve. Each is a handle with a mesh of its own.",
        settings: &[Object, SnapOn],
        code: &["point", "curve"],
        build: Build::Curve,
    },
    SceneInfo {
        name: "select",
        title: "Selection",
        text: "Click, Shift+click, or draw a lasso. Ids come from the same image that picks the handles.",
        settings: &[Setting::Mode, PivotPoint],
        code: &["select", "lasso"],
        build: Build::Stage(select),
    },
    SceneInfo {
        name: "views",
        title: "Four views",
        text: "Begin a drag in any of the four viewports: it is one gizmo, and all show it.",
        settings: &[Setting::Mode, Orient],
        code: &["views", "four views"],
        build: Build::Stage(views),
    },
];

fn at(x: f64, y: f64, z: f64) -> Transform {
    Transform { translation: DVec3::new(x, y, z), ..Transform::IDENTITY }
}

fn translate(stage: &mut Stage) -> Outcome {
    // code: translate
    let cube = stage.add("Cube", Shape::Cube, at(0.0, 0.5, 0.0), BLUE)?;
    stage.selected = vec![cube];
    stage.tools.gizmo.settings.mode = Mode::Translate;
    // end
    Ok(())
}

fn rotate(stage: &mut Stage) -> Outcome {
    // code: rotate
    let tilted = Transform { rotation: DQuat::from_rotation_x(0.4), ..at(0.0, 0.7, 0.0) };
    let ring = stage.add("Ring", Shape::Torus, tilted, CORAL)?;
    stage.selected = vec![ring];
    let settings = &mut stage.tools.gizmo.settings;
    settings.mode = Mode::Rotate;
    // Hold Ctrl: steps of 15 degrees.
    settings.snap.while_held = Snap::DEFAULT_INCREMENTS;
    // end
    stage.objects[ring].size = DVec3::splat(1.4);
    Ok(())
}

fn scale(stage: &mut Stage) -> Outcome {
    // code: scale
    let turned = Transform { rotation: DQuat::from_rotation_y(0.5), ..at(0.0, 0.5, 0.0) };
    let block = stage.add("Block", Shape::Cube, turned, GREEN)?;
    stage.selected = vec![block];
    stage.tools.gizmo.settings.mode = Mode::Scale;
    // end
    Ok(())
}

fn universal(stage: &mut Stage) -> Outcome {
    // code: universal
    let cone = stage.add("Cone", Shape::Cone, at(0.0, 0.5, 0.0), SAND)?;
    stage.selected = vec![cone];
    let settings = &mut stage.tools.gizmo.settings;
    settings.mode = Mode::Universal;
    settings.orientation = Orientation::Local;
    // end
    Ok(())
}

fn several(stage: &mut Stage) -> Outcome {
    // code: several
    stage.add("Ball", Shape::Ball, at(-1.6, 0.5, 0.4), CORAL)?;
    stage.add("Cube", Shape::Cube, at(0.2, 0.5, -1.0), BLUE)?;
    stage.add("Cone", Shape::Cone, at(1.4, 0.5, 0.8), GREEN)?;
    stage.selected = vec![0, 1, 2]; // the last one is active
    let settings = &mut stage.tools.gizmo.settings;
    settings.mode = Mode::Rotate;
    settings.pivot = Pivot::Median;
    // end
    stage.camera.distance = 7.0;
    Ok(())
}

fn parents(stage: &mut Stage) -> Outcome {
    // code: parents
    let links = [("Base", 0.0, 0.4), ("Upper arm", 0.8, 0.9), ("Forearm", 1.3, -1.3), ("Hand", 1.1, -0.4)];
    for (index, (name, length, angle)) in links.into_iter().enumerate() {
        let joint = Transform { rotation: DQuat::from_rotation_z(angle), ..at(0.0, length, 0.0) };
        let joint = if index == 0 { at(0.0, 0.0, 0.0) } else { joint };
        let link = stage.add(name, Shape::Cube, joint, [VIOLET, BLUE, GREEN, SAND][index])?;
        stage.objects[link].parent = index.checked_sub(1);
    }
    stage.selected = vec![1];
    let settings = &mut stage.tools.gizmo.settings;
    settings.mode = Mode::Rotate;
    settings.orientation = Orientation::Local;
    // end
    let sizes = [
        (0.4, [1.2, 0.8, 1.2]),
        (0.65, [0.45, 1.3, 0.45]),
        (0.55, [0.36, 1.1, 0.36]),
        (0.2, [0.5, 0.4, 0.7]),
    ];
    for (object, (center, size)) in stage.objects.iter_mut().zip(sizes) {
        (object.center, object.size) = (DVec3::Y * center, DVec3::from_array(size));
    }
    stage.objects[0].shape = Shape::Cylinder;
    (stage.camera.center, stage.camera.distance) = (DVec3::new(-0.2, 1.4, 0.0), 7.0);
    Ok(())
}

fn snapping(stage: &mut Stage) -> Outcome {
    // code: snapping
    let cube = stage.add("Cube", Shape::Cube, at(0.0, 0.5, 0.0), SAND)?;
    stage.selected = vec![cube];
    let snap = &mut stage.tools.gizmo.settings.snap;
    snap.increments = Snap { translate: Increment::new(0.5), ..Snap::DEFAULT_INCREMENTS };
    snap.while_held = Snap::OFF; // holding the snap key turns snapping off
    snap.kind = SnapKind::Relative;
    // end
    Ok(())
}

fn boxes(stage: &mut Stage) -> Outcome {
    // code: box
    let crate_ = stage.add("Crate", Shape::Cube, at(0.0, 0.6, 0.0), GREEN)?;
    stage.selected = vec![crate_];
    let settings = &mut stage.tools.gizmo.settings;
    settings.mode = Mode::None; // the handles of the box alone
    settings.box_handles = Some(BoxHandles::default());
    // end
    stage.objects[crate_].local.scale = DVec3::new(1.8, 1.2, 1.2);
    Ok(())
}

fn depth(stage: &mut Stage) -> Outcome {
    // code: depth
    for (x, z) in [(-1.1, 0.9), (1.1, 0.9), (-1.1, -0.9), (1.1, -0.9)] {
        stage.add("Column", Shape::Cylinder, at(x, 0.9, z), VIOLET)?;
    }
    let ball = stage.add("Ball", Shape::Ball, at(0.0, 0.7, 0.0), CORAL)?;
    stage.selected = vec![ball];
    stage.tools.gizmo.settings.display.depth_style = DepthStyle::DIMMED;
    // end
    for column in &mut stage.objects[..4] {
        column.size = DVec3::new(0.6, 1.8, 0.6);
    }
    (stage.camera.center, stage.camera.distance) = (DVec3::Y * 0.7, 6.5);
    Ok(())
}

fn select(stage: &mut Stage) -> Outcome {
    // code: select
    for i in 0..63 {
        let (row, column) = (f64::from(i / 9) - 3.0, f64::from(i % 9) - 4.0);
        let place = at(column * 0.9, 0.3, row * 0.9);
        let shape = Shape::ALL[i as usize * 7 % 5];
        let color = [BLUE, CORAL, GREEN, SAND, VIOLET][i as usize * 3 % 5];
        stage.add("Object", shape, place, color)?;
    }
    stage.selected = vec![30, 31, 40];
    stage.has_lasso = true;
    // end
    for object in &mut stage.objects {
        object.size = DVec3::splat(0.6);
    }
    (stage.camera.pitch, stage.camera.distance) = (0.75, 11.0);
    stage.camera.center = DVec3::ZERO;
    Ok(())
}

fn views(stage: &mut Stage) -> Outcome {
    // code: views
    let ring = stage.add("Ring", Shape::Torus, at(-0.8, 0.5, 0.3), CORAL)?;
    stage.add("Cube", Shape::Cube, at(0.9, 0.5, -0.4), BLUE)?;
    stage.selected = vec![ring];
    stage.layout = Layout::Four;
    stage.tools.gizmo.settings.display.size_lpx = 72.0;
    // end
    stage.camera.distance = 6.5;
    Ok(())
}
