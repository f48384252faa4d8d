//! Describes a session as a user, a file or another part of the program sees it. Each aspect is a column of the table.

use super::*;

macro_rules! aspects {
    ($($aspect:literal),+) => { [$([$aspect, concat!($aspect, "_hash"), concat!($aspect, "_steps")]),+] };
}

/// The columns of the aspects: the sum of all numbers, the hash of everything else, and marks for the steps.
pub(super) const ASPECTS: [[&str; 3]; 13] = aspects![
    "transforms",
    "nodes",
    "extents",
    "selection",
    "pointer",
    "drag",
    "history",
    "settings",
    "cameras",
    "texts",
    "commands",
    "journal",
    "recording"
];

/// The keys that are tried, one after another.
const KEYS: &str =
    "x Y Z w e r t g s q p i b a m f o h H k 1 3 5 7 z y d . v delete escape enter f4 f7 tab up";

/// An aspect at the last step.
#[derive(Debug, Default)]
pub(super) struct Last {
    text: String,
    /// How many numbers were added so far.
    numbers: usize,
}

impl Last {
    /// Adds what a step shows to the columns of the aspect: the lines that are new. Returns true if there are any.
    pub(super) fn see(&mut self, row: &mut Row, columns: [&'static str; 3], text: String) -> bool {
        let is_new = text != self.text;
        if is_new {
            let before = std::mem::replace(&mut self.text, text.clone());
            row.hash(columns[1], &format!("{} lines", text.lines().count()));
            let mut before = before.lines();
            for (index, line) in text.lines().enumerate().filter(|(_, line)| before.next() != Some(line)) {
                row.hash(columns[1], &format!("line {index}"));
                self.add(row, columns, line);
            }
        }
        row.mark(columns, is_new);
        is_new
    }

    fn add(&mut self, row: &mut Row, [sum, hash, _]: [&'static str; 3], mut text: &str) {
        while let Some(at) = text.find(|character: char| character.is_ascii_digit()) {
            let (words, number) = text.split_at(at);
            let (number, after) = number.split_at(number_len(number));
            // A number that is nearly 0 has any sign.
            row.hash(hash, words.trim_end_matches('-'));
            let sign = if words.ends_with('-') { -1.0 } else { 1.0 };
            let number = sign * number.parse::<f64>().expect("it is a number");
            // A huge number does not drown the others.
            row.add(sum, self.numbers, number / (1.0 + 1e-3 * number.abs()));
            self.numbers += 1;
            text = after;
        }
        row.hash(hash, text);
    }
}

/// Returns the length of the number that a text begins with.
fn number_len(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut len = digits(0);
    let more = |len: usize, mark: &str| {
        let count = if text[len..].starts_with(mark) { digits(len + mark.len()) } else { 0 };
        if count > 0 { mark.len() + count } else { 0 }
    };
    len += more(len, ".");
    len + more(len, "e").max(more(len, "e-"))
}

fn join<T: Debug>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| format!("{item:?}\n")).collect()
}

/// Returns what a session shows now, in the order of [`ASPECTS`].
pub(super) fn observe(walk: &mut Walk) -> [String; ASPECTS.len()] {
    let step = walk.steps;
    let view = *walk.session.views.current();
    let mut list = DrawList::new();
    walk.session.editor.draw_gizmo(list.begin(&view));
    let Walk { session, recorder, saved, .. } = walk;
    let Session { editor, views, cameras, canvas } = &*session;
    let (scene, gizmo, log, values) = (editor.scene(), editor.gizmo(), editor.log(), editor.values());
    let nodes = || 0..scene.nodes().len();
    let transforms = nodes().map(|node| {
        let world = scene.world_from_node(node).transform_point3(DVec3::new(0.1, 0.2, 0.3));
        (scene.nodes()[node].local, world, scene.shown_local(node) != scene.nodes()[node].local)
    });
    let tree = nodes().map(|node| {
        let Node { name, parent, children, mesh, camera, light, copy_of, .. } = &scene.nodes()[node];
        let flags = FLAGS.map(|flag| (scene.has_flag(node, flag), scene.is_flagged(node, flag)));
        let links = (parent, children, copy_of, scene.find(name), scene.named(name));
        (name, links, [mesh, camera, light], flags, scene.is_pickable(node), editor.id_of(node).is_some())
    });
    let extents = nodes().map(|node| (scene.crop_box(node), scene.extents(node), scene.volume_of(node)));
    let pointer = editor.pointer();
    let hovered = (gizmo.hovered(), editor.hovered_node(), editor.hovered_side());
    let drawn = pointer.drawn().map(|drawn| (drawn.path_px, drawn.is_lasso, drawn.mode, drawn.through));
    let held = (pointer.cursor_px, pointer.point_world(), pointer.is_button_held, editor.is_busy());
    let uses = (editor.volume_handles_in_use(), editor.cube.is_held(), editor.waits());
    let dragged = gizmo.drag().map(|drag| {
        let typed = (drag.typed(), drag.is_typed_refused(), drag.is_by_keyboard());
        (drag.handle(), drag.numbers(), typed, drag.axes(), drag.motion())
    });
    let disabled = HandleId::all().filter_map(|handle| gizmo.disabled_reason(handle));
    let held_view = editor.held_view().map(|view| (view.key(), view.viewport()));
    let places = (gizmo.pivot_place(), gizmo.edited_pivot(), editor.other_edited_pivots());
    let drag = (editor.is_dragging(), dragged, editor.snapped_to(), editor.is_drive_clamped, held_view);
    let open = log.open.as_ref().map(|open| (&open.key, &open.name));
    let of_save = (log.saved(), editor.is_saved(), editor.is_being_saved(), editor.is_changing());
    let done = (log.done(), log.jumps, log.cursor(), !log.unlisted.is_empty(), of_save);
    let ever = (editor.has_ever_cropped(), editor.has_ever_edited_pivot());
    let shown = Setting::ALL.map(|setting| (setting.shown(&values), setting.is_used(&values)));
    let written = SettingsPatch::all(&values).0;
    let style = editor.scene_style();
    let style = (style.without_grid, style.shading, style.is_on_light(), editor.is_through());
    let labels: Vec<_> = (0..4).map(|index| views.label(index)).collect();
    let framed = (views.current_index(), labels, views.framed, cameras.shows_cube, cameras.looks_through());
    let main = cameras.main_camera(views.main().viewport());
    let texts = (editor.message(), status::selection(editor), status::snapping(&values));
    let readouts = list.readouts().map(|readout| (editor.readout(readout.text), readout.anchor_px));
    let commands = Command::ALL.map(|command| {
        let state = (command.is_available(editor), command.state(editor, &view), command.is_switched(editor));
        (state, command.menu_label(editor), command.message(editor, &view))
    });
    let key = KEYS.split(' ').cycle().nth(step).unwrap_or_default();
    let mods = Mods { shift: step % 3 == 1, ctrl: step % 4 == 3, alt: step % 5 == 4, ..Mods::default() };
    let keymap = Keymap::ALL.get(step % 4).map(|(_, keymap)| *keymap);
    let keys = (session.key_use(keymap, key, mods), gizmo_key(key, mods.shift));
    let journal = Journal::of(editor, saved.as_deref(), JournalHead::default());
    let journal = format!("{}{}", journal.count(), journal.to_text());
    let path = path("recording.json");
    let recorded = match step % 8 {
        7 => recorder.replay(&path) + &recorder.test(&path, editor),
        _ => recorder.events.lines.last().map_or(String::new(), ToString::to_string),
    };
    let last = log.entries().last();
    [
        join(transforms),
        join(tree),
        format!("{}{:?}", join(extents), scene.volumes()),
        format!("{:?}{:?}{:?}", editor.selection(), editor.moved(), editor.tops(None)),
        format!("{hovered:?}{drawn:?}{held:?}{uses:?}{:?}", gizmo.cursor_hint()),
        format!("{drag:?}{places:?}{:?}{:?}", editor.claims(), join(disabled)),
        format!("{}{done:?}\n{open:?}{ever:?}\n{last:?}", join(editor.step_names())),
        format!("{}{}{style:?}{}{}", join(&written), join(shown), editor.shows_volumes, editor.shows_icons),
        format!("{}{framed:?}\n{main:?}\n{canvas:?}\n{:?}", join(views.all()), cameras.ortho_views()),
        format!("{texts:?}{:?}", join(readouts)),
        format!("{}{keys:?}", join(commands)),
        journal,
        format!("{}{recorded}", recorder.count()),
    ]
}
