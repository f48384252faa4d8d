//! Random sessions with every input of a window, as a table of what they show. `WGPU_GIZMO_WRITE=1` writes
//! `tests/sessions.tsv` anew.

#[path = "../../../../../../../crates/wgpu-gizmo-core/tests/common/golden.rs"]
mod golden;
mod observed;

use super::random::{Step as Shared, make};
use super::*;
use fastrand::Rng;
use golden::{Row, Table, choose};
use observed::{ASPECTS, Last, observe};

const SESSIONS: usize = 56;
const STEPS: usize = 72;

/// Lights, cameras, a skin and an animation; the robot arm; a mirrored node, sheared ones and one without thickness.
const SCENES: [&str; 4] = [
    r#"{"gltf":"sessions.gltf"}"#,
    r#"{"built_in":"robot_arm"}"#,
    r#"{"gltf":"sessions.gltf"}"#,
    r#"{"objects":[
        {"name":"table","shape":"cube","scale":[2,0.2,1]},
        {"name":"cup","shape":"sphere","parent":"table","translation":[0.2,2,0.1],"rotation":[0,0.3,0.4,0.9]},
        {"name":"spoon.0007","shape":"cube","parent":"cup","translation":[0,1,0],"scale":[0.2,0.9,-0.3]},
        {"name":"mirror","shape":"empty","translation":[-1,0.5,0],"scale":[-1,1,1]},
        {"name":"twin","shape":"cube","parent":"mirror","rotation":[0,0.6,0,0.8],"scale":[0.5,0.5,0.5]},
        {"name":"sheet","shape":"cube","translation":[1,1,-1],"scale":[1,1,0]}]}"#,
];

/// Events of replays. `NODE` and `OTHER` stand for nodes.
const EVENTS: [&str; 41] = [
    r#"{"drive":{"handle":"translate_x","amount":0.75}}"#,
    r#"{"drive":{"handle":"translate_zx","amount":[0.5,-0.25]}}"#,
    r#"{"drive":{"handle":"rotate_y","amount":40}}"#,
    r#"{"drive":{"handle":"scale_z","amount":1.5}}"#,
    r#"{"drive":{"handle":"box_+x-y","amount":[1.5,0.75]}}"#,
    r#"{"drive":{"handle":"rotate_trackball","amount":10}}"#,
    r#"{"grab":"translate_y"}"#,
    r#"{"grab":"rotate_view"}"#,
    r#"{"wheel":2}"#,
    r#"{"wheel":-1,"mods":["ctrl"]}"#,
    r#"{"select_region":{"rect":[10,10,400,300],"through":true},"mods":["shift"]}"#,
    r#"{"select_region":{"rect":[600,450,100,200]}}"#,
    r#"{"select_region":{"lasso":[[10,10],[600,30],[300,470]]},"mods":["ctrl"]}"#,
    r#"{"camera":{"eye":[3,2,4],"look_at":[0,0.5,0],"up":[0,1,0],"projection":{"kind":"perspective","fov_y":50,"near":0.1}}}"#,
    r#"{"look_through":"NODE"}"#,
    r#"{"look_through":null}"#,
    r#"{"views":{"quad":{"top":{"center":[0,0,0],"height":3},"front":{"center":[0,1,0],"height":4},"side":{"center":[0,0,1],"height":5}}}}"#,
    r#"{"window":{"size_px":[700,480],"viewport":[50,0,600,450],"scale_factor":1.5}}"#,
    r#"{"window":{"size_px":[640,480],"scale_factor":2}}"#,
    r#"{"edit":{"name":"Move both","changes":[{"place":{"NODE":{"translation":[0.5,1,0]},"OTHER":{}}}]}}"#,
    r#"{"edit":{"name":"Move one","changes":[{"place":{"NODE":{"rotation":[0,0.6,0,0.8]}}}],"open":true}}"#,
    r#"{"edit":{"name":"Swap","changes":[{"flags":{"NODE":{"hidden":true},"OTHER":{"locked":false}}},{"parent":{"NODE":null}}]}}"#,
    r#"{"edit":{"name":"Blink","changes":[{"flags":{"NODE":{"hidden":true}}},{"flags":{"NODE":{"hidden":false}}}]}}"#,
    r#"{"parent":{"NODE":"OTHER"}}"#,
    r#"{"place":{"NODE":{"translation":[0.25,0.5,0.75]}}}"#,
    r#"{"pivot":{"point":[0.5,0,0.25],"rotation":[0,0.6,0,0.8]}}"#,
    r#"{"edit_pivot":true}"#,
    r#"{"edit_pivot":false}"#,
    r#"{"press":"secondary"}"#,
    r#"{"cancel":true}"#,
    r#"{"key":"f4"}"#,
    r#"{"key":"h","mods":["shift"]}"#,
    r#"{"set":{"orientation":{"custom":[0.1,0.2,0.3,0.9]},"axes":"own"}}"#,
    r#"{"set":{"pivot":{"custom":[0.5,0.25,-0.5]},"mode":"rotate"}}"#,
    r#"{"set":{"snap_kind":{"grid":[0.1,0.2,0.3]},"snap":{"translate":0.25,"rotate":20}}}"#,
    r#"{"set":{"snap_while_held":{"translate":0.5,"scale":0.5},"snap_to":"vertex"}}"#,
    r#"{"set":{"limits":{"translation":[[-0.5,null,-0.5],[0.5,1,null]],"angle":[-30,60]}}}"#,
    r#"{"set":{"locks":["translation_x","scale"],"mode":"universal"}}"#,
    r#"{"set":{"limits":null,"locks":["rotation"],"snap":null}}"#,
    r#"{"set":{"locks":null,"axis_keys":"hovered","wheel_nudge":true,"size":80,"tolerance":12}}"#,
    r#"{"set":{"axis_keys":"always","box":"extents","min_size":0.2,"mode":"universal"}}"#,
];

/// Keys of a drag, and of commands.
const KEYS: &str = "x y z X Y Z 1 2 5 . - * c m backspace tab left right up down enter escape w e r t q k";

fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + rng.f64() * (high - low)
}

fn vector(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| between(rng, -size, size)))
}

/// A window without a GPU.
struct Walk {
    rng: Rng,
    session: Session,
    recorder: Recorder,
    /// The scene as it was opened, and events for it.
    opened: Replay,
    steps: usize,
    mods: Mods,
    /// The index of the last of the commands that are run one after another.
    command: usize,
    /// The nodes of the file that is being written, and those of the last one.
    saving: Option<Vec<Option<usize>>>,
    saved: Option<Vec<Option<usize>>>,
    last: [Last; ASPECTS.len()],
    row: Row,
}

impl Walk {
    fn new(number: usize) -> Self {
        let mut rng = Rng::with_seed(number as u64);
        let open = |events: &str| {
            let scene = SCENES[number % SCENES.len()];
            let text = format!(r#"{{"version":1,"size_px":[640,480],"scene":{scene},"events":[{events}]}}"#);
            replay_file::from_bytes(text.as_bytes(), &path("sessions.json")).expect("the replay is valid")
        };
        let nodes = open("").scene.nodes().len();
        let names = open("").scene.nodes().iter().map(|node| format!("{:?}", node.name)).collect::<Vec<_>>();
        let mut event = |event: &str| {
            let (one, by) = (rng.usize(..nodes), rng.usize(1..nodes));
            event.replace(r#""NODE""#, &names[one]).replace(r#""OTHER""#, &names[(one + by) % nodes])
        };
        let events = EVENTS.map(&mut event).join(",");
        let opened = open(&events);
        let mut session = crate::tests::session(opened.scene.clone());
        let shown = number % 3;
        (session.editor.shows_volumes, session.editor.shows_icons) = (shown > 0, shown > 1);
        session.editor.change(|values| {
            for (setting, choices) in Setting::ALL.map(|setting| (setting, setting.labels().len())) {
                if choices > 0 && rng.u8(..3) == 0 {
                    setting.choose(values, rng.usize(..choices));
                }
            }
        });
        let recorder = recorder(opened.source.clone(), &session);
        let (steps, mods, command, last) = (0, Mods::default(), 17 * number, Default::default());
        let (saving, saved, row) = Default::default();
        Self { rng, session, recorder, opened, steps, mods, command, saving, saved, last, row }
    }

    /// Handles an input while the current modifier keys are held.
    fn take(&mut self, kind: &EventKind) {
        self.session.editor.hold(self.mods);
        act_by(&mut self.session, &mut self.recorder, kind, self.mods);
    }

    fn panel(&mut self, does: impl FnOnce(&mut Editor)) {
        in_panel(&mut self.session, &mut self.recorder, does);
    }

    fn share(&mut self, step: &Shared) {
        make(&mut self.session, &mut self.recorder, step);
    }

    /// Returns a node by its place among those that exist, often one that was copied or cut before.
    fn node(&mut self) -> usize {
        let scene = self.session.editor.scene();
        let nodes: Vec<usize> = (0..scene.nodes().len()).filter(|node| scene.exists(*node)).collect();
        let is_new = |node: usize| scene.nodes()[node].copy_of.is_some() || scene.crop_box(node).is_some();
        let new: Vec<usize> = (0..nodes.len()).filter(|place| is_new(nodes[*place])).collect();
        let is_any = new.is_empty() || self.rng.bool();
        if is_any { self.rng.usize(..nodes.len()) } else { choose(&mut self.rng, &new) }
    }

    fn center(&self, node: usize) -> DVec3 {
        let scene = self.session.editor.scene();
        let center = scene.world_bounds(node).map(|bounds| bounds.center());
        center.unwrap_or(scene.world_from_node(node).w_axis.truncate())
    }

    /// Shows a frame, and answers what the gizmo and boxes ask.
    fn frame(&mut self) {
        look(&mut self.session, &mut self.recorder);
        self.session.update().expect("the view is valid");
        for _ in 0..4 {
            let Some(query) = self.session.next_query() else { break };
            self.answer(&query);
            self.session.update().expect("the view is valid");
        }
        if let Some(query) = self.session.editor.region_query() {
            let scene = self.session.editor.scene();
            let is_inside = |node: &usize| {
                let px = query.view.px_from_world(self.center(*node));
                scene.is_pickable(*node) && px.is_some_and(|px| query.region.contains(px))
            };
            let found = Some((0..scene.nodes().len()).filter(is_inside).collect());
            let found = found.filter(|_| self.rng.u8(..6) > 0);
            self.session.editor.answer_region(Some((query, found)));
        }
        let mut list = DrawList::new();
        self.session.draw(list.begin(&self.session.views.current().clone()));
        self.recorder.saw(list.items().iter().filter_map(|item| item.id));
        look(&mut self.session, &mut self.recorder);
    }

    /// Answers a query from the handles, or else from the centers of the nodes.
    fn answer(&mut self, query: &PickQuery) {
        let mut list = DrawList::new();
        self.session.draw_for_pick(list.begin(&query.view), query);
        let handle = list.pick(query.cursor_px, query.radius_px).filter(|_| !query.is_snap);
        let (editor, scene) = (&self.session.editor, self.session.editor.scene());
        let is_pickable = self.session.pickable_for(query);
        let mut near: Vec<(f64, usize)> = Vec::new();
        for node in (0..scene.nodes().len()).filter(|node| scene.exists(*node) && is_pickable(*node)) {
            let px = query.view.px_from_world(self.center(node));
            let reach_px = query.radius_px.max(24.0);
            if px.is_some_and(|px| px.distance(query.cursor_px) < reach_px) && scene.mesh_box(node).is_some()
            {
                near.push((self.center(node).dot(query.view.forward()), node));
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let neighbors: Vec<NonZeroU32> = near.iter().filter_map(|(_, node)| editor.id_of(*node)).collect();
        let hit = handle.or(neighbors.first().copied()).map(|id| PickHit::at(id, query.cursor_px));
        let hit = hit.map(|mut hit| {
            let node = editor.node_of(hit.id);
            (hit.position_world, hit.normal_world) = (node.map(|node| self.center(node)), Some(DVec3::Y));
            hit
        });
        let outcome = hit.map_or(PickOutcome::Nothing, PickOutcome::Hit);
        drop(is_pickable);
        match self.rng.u8(..24) {
            0 => self.session.picks_lost(),
            1 => self.session.answer(&PickAnswer::new(*query, PickOutcome::Lost), &[]),
            _ => self.session.answer(&PickAnswer::new(*query, outcome), &neighbors),
        }
    }

    /// Returns a pixel of a handle, the view cube, an icon or a node, that of the last press, or any.
    fn aim(&mut self) -> DVec2 {
        let view = *self.session.views.current();
        let mut list = DrawList::new();
        self.session.draw(list.begin(&view));
        let ids: Vec<NonZeroU32> = list.items().iter().filter_map(|item| item.id).collect();
        let node = self.rng.usize(..self.session.editor.scene().nodes().len());
        let at_px = match self.rng.u8(..10) {
            0..=4 if !ids.is_empty() => list.px_of(choose(&mut self.rng, &ids)),
            0..=6 => view.px_from_world(self.center(node)),
            7..=8 => self.session.editor.pointer().cursor_px,
            _ => None,
        };
        let any = DVec2::new(self.rng.f64(), self.rng.f64()) * view.viewport().height;
        at_px.filter(|px| px.abs().max_element() < 1e4).unwrap_or(any)
    }

    fn press(&mut self) {
        let at_px = self.aim();
        for by_px in [12.0, 6.0, 0.0] {
            self.take(&EventKind::Move(at_px + by_px));
        }
        self.frame();
        self.take(&EventKind::Press(Button::Primary));
        self.frame();
        if self.rng.u8(..4) == 0 {
            self.take(&EventKind::Release(Button::Primary));
        }
    }

    fn go_on_with_press(&mut self) {
        for _ in 0..3 {
            let by_px = vector(&mut self.rng, 70.0).truncate();
            let at_px = self.session.editor.pointer().cursor_px.unwrap_or_default();
            match self.rng.u8(..12) {
                0..=7 => self.take(&EventKind::Move(at_px + by_px)),
                8..=9 => return self.take(&EventKind::Release(Button::Primary)),
                10 => return self.hold(),
                _ => self.frame(),
            }
        }
    }

    fn hold(&mut self) {
        let [shift, ctrl, alt, vertex, lasso] = std::array::from_fn(|_| self.rng.u8(..5) == 0);
        self.mods = Mods { shift, ctrl, alt, vertex, lasso };
    }

    /// Runs a command: one after another, or an edit that is available.
    fn command(&mut self) -> Command {
        let editor = &self.session.editor;
        let all: Vec<Command> = commands().collect();
        let is_edit = |command: &Command| {
            matches!(command.row().run, Run::Edits(_) | Run::EditsIn(_)) && command.is_available(editor)
        };
        let often = match editor.is_dragging() {
            true => vec![Command::Cancel],
            false => {
                use Command::{Duplicate, EditPivot, Redo, SectionX, ShowAll, Undo};
                vec![Undo, Undo, Redo, EditPivot, ShowAll, Duplicate, SectionX]
            }
        };
        self.command += 1;
        let edits: Vec<Command> = all.iter().copied().filter(is_edit).collect();
        let command = match self.rng.u8(..8) {
            0 => choose(&mut self.rng, &edits),
            1..=2 => choose(&mut self.rng, &often),
            _ => all[self.command % all.len()],
        };
        self.share(&Shared::Run(command));
        command
    }

    /// Makes a step that random recordings have as well.
    fn shared(&mut self) {
        let (one, other) = (self.node(), self.node());
        let rng = &mut self.rng;
        let is_idle = !self.session.editor.is_busy() && !self.session.editor.is_changing();
        let step = match rng.u8(..16) {
            0..=4 => Shared::Select(one, other),
            5 => Shared::Flag(one, choose(rng, &[Flag::Hidden, Flag::Locked])),
            6..=7 => Shared::Rename(one, rng.u8(..3)),
            8 => Shared::Place(between(rng, -2.0, 2.0)),
            9 => Shared::Reparent(Some(one).filter(|_| rng.u8(..3) > 0)),
            10 => Shared::GoTo(rng.usize(..64)),
            11..=12 => Shared::Type(rng.u8(..9)),
            13 => Shared::Through(one),
            14 if is_idle => Shared::StartOver,
            _ => choose(rng, &[Shared::Views, Shared::Cube(false), Shared::Cube(true)]),
        };
        self.share(&step);
    }

    /// Edits values in the panel.
    fn edit(&mut self) {
        let rng = &mut self.rng;
        let (turn, x) = (DQuat::from_rotation_y(between(rng, -1.0, 1.0)), between(rng, -1.5, 2.0));
        let (axis, edge, number) = (choose(rng, &Axis::ALL), choose(rng, &Edge::ALL).1, rng.u8(..24));
        let (setting, index) = (choose(rng, &Setting::ALL), rng.usize(..12));
        let view = *self.session.views.current();
        let changed = move |local: &Transform| match number {
            0..=2 => Transform { translation: local.translation.with_x(x), ..*local },
            3..=4 => Transform { rotation: turn * local.rotation, ..*local },
            5 => Transform { scale: DVec3::INFINITY, ..*local },
            _ => Transform { scale: local.scale * x, ..*local },
        };
        self.panel(|editor| match number {
            0..=7 => editor.adjust(&format!("{}", number / 3), "Set {}", |_, local| changed(local)),
            8..=9 => editor.settle(),
            10 => editor.cancel_adjusting(),
            11..=13 => editor.align(axis, edge),
            14 => editor.hide_section_handles(),
            15..=17 => {
                let index = editor.active_volume().map_or(index % 5, |(index, _)| index);
                if let Some(volume) = editor.scene().volume(index) {
                    editor.adjust_volume(index, with_number(volume, number.into(), x));
                }
            }
            18 => editor.show_pose(Some(Pose { animation: 0, time: x.abs() }), &view),
            19 => editor.show_pose(None, &view),
            20 => editor.drag_by(|gizmo, targets| {
                let handle = HandleId::from_name("translate_y").expect("the handle exists");
                let driven = gizmo.drive(handle, x, targets);
                driven.map_or(Vec::new(), |driven| {
                    vec![GizmoEvent::Started(handle), GizmoEvent::Ended { changed: driven.changed }]
                })
            }),
            _ => editor.change(|values| match (setting.number(values), setting.labels().len()) {
                (Some(number), _) => *number = 10.0 + x,
                (None, 0) => {}
                (None, choices) => setting.choose(values, index % choices),
            }),
        });
    }

    /// Moves a camera, as buttons, wheels, fingers and keys do.
    fn move_camera(&mut self) {
        let rng = &mut self.rng;
        let (by_px, notches, point) =
            (vector(rng, 80.0).truncate(), between(rng, -3.0, 3.0), vector(rng, 1.0));
        let at_px = self.session.editor.pointer().cursor_px.unwrap_or_default();
        let Session { cameras, views, editor, .. } = &mut self.session;
        match rng.u8(..10) {
            0 => cameras.drag(views, by_px, true, None),
            1 => cameras.drag(views, by_px, false, None),
            2 => cameras.drag(views, by_px, false, Some(point)),
            3 => cameras.zoom_at(views, notches, at_px, Some(point)),
            4 => cameras.zoom_at(views, notches, at_px, None),
            5 => cameras.magnify(views, 2f64.powf(notches)),
            6 => cameras.use_orbit(views).look(by_px),
            7 => {
                let orbit = cameras.use_orbit(views);
                let mut fly = Fly::new(orbit);
                fly.hold(point.normalize().round(), true);
                fly.speed_up(notches);
                fly.step(orbit, Duration::from_millis(50));
            }
            8 => {
                let home = Cameras::of_scene(editor.scene()).orbit();
                if let Some((orbit, home)) = cameras.orbit().zip(home) {
                    *cameras.use_orbit(views) = orbit.toward(&home, 0.5);
                }
            }
            _ => cameras.use_orbit(views).spin(notches),
        }
    }

    /// Begins to save the scene, or ends that.
    fn save(&mut self) {
        let Some(indices) = self.saving.take() else {
            self.panel(Editor::begin_save);
            let scene = self.session.editor.scene();
            let mut indices = 0..;
            let index = |node: usize| scene.exists(node).then(|| indices.next()).flatten();
            self.saving = Some((0..scene.nodes().len()).map(index).collect());
            return;
        };
        let is_written = self.rng.u8(..4) > 0;
        self.session.editor.end_save(is_written);
        if is_written {
            self.saved = Some(indices);
            self.row.count("events", "saved");
        }
    }

    fn step(&mut self) {
        let editor = &self.session.editor;
        let (before, jumps, message) = (editor.log().cursor(), editor.log().jumps, editor.message());
        let (was_dragging, is_idle) = (editor.is_dragging(), editor.moved().is_empty());
        let is_held = editor.pointer().is_button_held;
        let mut command = None;
        match self.rng.u8(..40) {
            0..30 if is_held => self.go_on_with_press(),
            0..16 if was_dragging => {
                let key = choose(&mut self.rng, &KEYS.split(' ').collect::<Vec<_>>());
                self.take(&EventKind::Key(key.to_owned()));
            }
            0..20 if is_idle && !was_dragging => {
                let step = Shared::Select(self.node(), self.node());
                self.share(&step);
            }
            0..8 => self.press(),
            8..9 => self.hold(),
            9..20 => command = Some(self.command()),
            20..25 => self.shared(),
            25..31 => {
                self.edit();
                self.edit();
            }
            31..33 => {
                self.move_camera();
                // The pointer can be faster than frames.
                if self.rng.bool() {
                    self.press();
                }
            }
            33..35 => self.save(),
            35 => self.session.editor.pointer_left(),
            _ => {
                let event = choose(&mut self.rng, &self.opened.events);
                self.mods = event.mods;
                self.take(&event.kind);
            }
        }
        self.frame();
        let is_changed = self.observe();
        let editor = &self.session.editor;
        let happened = [
            ("drag", editor.is_dragging() && !was_dragging),
            ("undo or redo", editor.log().jumps != jumps),
            ("message", editor.message().is_some() && editor.message() != message),
        ];
        happened.iter().filter(|(_, is_so)| *is_so).for_each(|(what, _)| self.row.count("events", *what));
        for entry in editor.log().since(before).1 {
            self.row.count("made", entry.name.split(' ').next().unwrap_or_default());
        }
        if let Some(command) = command.filter(|_| is_changed) {
            self.row.count("run", command.name());
        }
    }

    /// Adds what is seen now to the traces. Returns true if the scene, the cameras, settings or texts have changed.
    fn observe(&mut self) -> bool {
        let seen = observe(self);
        self.steps += 1;
        let mut is_changed = false;
        for ((last, text), aspect) in self.last.iter_mut().zip(seen).zip(ASPECTS) {
            let is_new = last.see(&mut self.row, aspect, text);
            is_changed |= is_new && !["commands", "recording"].contains(&aspect[0]);
        }
        is_changed
    }

    /// Tries to delete everything, undoes and redoes everything, and restores the journal in the scene as it was opened.
    fn end(&mut self) {
        self.take(&EventKind::Cancel);
        let view = *self.session.views.current();
        self.panel(|editor| {
            editor.select((0..editor.scene().nodes().len()).collect(), &view);
            editor.run(Command::Delete, &view);
        });
        // Some files lack what undo brings back.
        (0..self.command % 2 * 2).for_each(|_| self.save());
        self.frame();
        self.observe();
        for done in [usize::MAX, 0, usize::MAX] {
            self.panel(|editor| editor.go_to_step(done));
            self.frame();
            self.observe();
        }
        let journal = Journal::of(&self.session.editor, self.saved.as_deref(), JournalHead::default());
        let journal = Journal::of_text(journal.to_text().as_bytes()).expect("it was just written");
        let mut other =
            self.session.editor.with_scene(self.opened.scene.clone()).expect("there are enough ids");
        let restored = other.restore(&journal, self.saved.is_none());
        other.select_alike(&self.session.editor);
        self.row.count("events", if restored.is_ok() { "restored" } else { "not restored" });
        other.show_message(format!("{restored:?}"));
        self.session.editor = other;
        self.session.update().expect("the view is valid");
        self.observe();
    }
}

/// Returns a camera or light with another number, or one of another kind if the number is out of range.
fn with_number(volume: NodeVolume, index: usize, number: f64) -> NodeVolume {
    let fields = volume.fields();
    let mut json = volumes::write(&volume);
    json[fields.get(index % fields.len().max(1)).map_or("range", |(key, _)| key)] = json!(number);
    let other = NodeVolume::Light(Light::new(LightShape::Point { range: Some(number) }));
    volumes::read(&gltf_io::json::Json::root(&json), None).unwrap_or(other)
}

/// Returns the commands that do not need a window.
fn commands() -> impl Iterator<Item = Command> {
    Command::ALL.into_iter().filter(|command| !matches!(command.row().run, Run::Window))
}

#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "another library of functions rounds differently, and a random session may be at a threshold"
)]
fn random_sessions_go_as_in_table() {
    let row = |number: usize| {
        let mut walk = Walk::new(number);
        walk.observe();
        (0..STEPS).for_each(|_| walk.step());
        walk.end();
        walk.row
    };
    let title = "Random sessions of the viewer. The marks of steps are not compared.";
    // A session has up to a hundred steps, each with an error below 1e-11.
    let table = Table { path: "tests/sessions.tsv", title, tolerance: 1e-9, rows: SESSIONS, row: &row };
    let totals = golden::check(&table);
    for (what, least) in [("drag", 80), ("undo", 60), ("message", 200), ("saved", 20), ("restored", 40)] {
        totals.assert_at_least("events", what, least);
    }
    let made = "Align Clear Crop Delete Duplicate Hide Lock Move Parent Rename Section Set Show Translate";
    made.split(' ').for_each(|kind| totals.assert_at_least("made", kind, 2));
    commands().for_each(|command| totals.assert_at_least("run", &command.name(), 1));
}
