use super::blocks::{Block, LANES, ROUNDING, SIDES, max_of};

/// Bounding boxes of groups of balls, so that most of a scene is culled a group at a time.
///
/// A group consists of neighboring slots. They are close in space if the host inserted its objects in
/// spatial order; if not, testing the boxes costs a fiftieth of testing the balls. Nothing must be rebuilt
/// when objects move: a box grows with each ball that is set in its group, and is recomputed after as many
/// such changes as the group has slots.
#[derive(Debug, Default)]
pub(super) struct Groups {
    boxes: Vec<Boxes>,
    /// Per group: the number of balls set since its box was computed.
    puts: Vec<u32>,
}

/// Blocks of balls per group.
pub(super) const BLOCKS: usize = 4;
/// Slots per group.
const SLOTS: usize = BLOCKS * LANES;
/// A coordinate beyond all balls, small enough not to overflow.
const FAR_AWAY: f32 = 1e30;

/// The minimum and maximum corners of boxes.
#[derive(Debug, Clone, Copy)]
struct Boxes {
    low: [[f32; LANES]; 3],
    high: [[f32; LANES]; 3],
}

impl Boxes {
    const EMPTY: Self = Self { low: [[FAR_AWAY; LANES]; 3], high: [[-FAR_AWAY; LANES]; 3] };

    /// Returns, per box, its minimum reach across the planes; negative if it is outside of one.
    fn reach(&self, planes: &[[f32; 4]; SIDES]) -> [f32; LANES] {
        let mut min = [f32::INFINITY; LANES];
        for plane in planes {
            // The corner that is farthest along the normal.
            let farthest = |i: usize| if plane[i] >= 0.0 { &self.high[i] } else { &self.low[i] };
            let ([nx, ny, nz, d], [x, y, z]) = (plane, [0, 1, 2].map(farthest));
            for (i, min) in min.iter_mut().enumerate() {
                let distance = (nx * x[i] + ny * y[i]) + (nz * z[i] + d);
                *min = if distance < *min { distance } else { *min };
            }
            // Neighboring boxes are often outside of the same plane.
            if max_of(&min) < 0.0 {
                break;
            }
        }
        min
    }
}

impl Groups {
    /// Updates the group after a ball was set or cleared in `slot`; `blocks` already contains the
    /// change.
    pub(super) fn put(&mut self, slot: usize, blocks: &[Block]) {
        let group = slot / SLOTS;
        if self.puts.len() <= group {
            self.puts.resize(group + 1, 0);
            self.boxes.resize(self.puts.len().div_ceil(LANES), Boxes::EMPTY);
        }
        self.puts[group] += 1;
        if (self.puts[group] as usize) < SLOTS {
            self.grow(group, blocks[slot / LANES].ball(slot % LANES));
            return;
        }
        self.puts[group] = 0;
        self.set(group, [[FAR_AWAY; 3], [-FAR_AWAY; 3]]);
        for block in blocks.iter().skip(group * BLOCKS).take(BLOCKS) {
            (0..LANES).for_each(|lane| self.grow(group, block.ball(lane)));
        }
    }

    /// Extends the box of a group by a ball (center and radius).
    fn grow(&mut self, group: usize, [x, y, z, radius]: [f32; 4]) {
        if radius < 0.0 {
            return;
        }
        // Upper bound of the rounding error of a corner's distance from a plane.
        let rounding = ROUNDING as f32 * (x.abs() + y.abs() + z.abs() + radius);
        let reach = (radius + rounding).min(FAR_AWAY);
        let (boxes, lane) = (&mut self.boxes[group / LANES], group % LANES);
        for (i, center) in [x, y, z].into_iter().enumerate() {
            boxes.low[i][lane] = boxes.low[i][lane].min(center - reach);
            boxes.high[i][lane] = boxes.high[i][lane].max(center + reach);
        }
    }

    fn set(&mut self, group: usize, [low, high]: [[f32; 3]; 2]) {
        let (boxes, lane) = (&mut self.boxes[group / LANES], group % LANES);
        for i in 0..3 {
            (boxes.low[i][lane], boxes.high[i][lane]) = (low[i], high[i]);
        }
    }

    /// Calls `take` with the index of the first block of each group that may be on the inner side of all
    /// planes, in ascending order.
    pub(super) fn for_each_intersecting(&self, planes: &[[f32; 4]; SIDES], mut take: impl FnMut(usize)) {
        for (boxes, first) in self.boxes.iter().zip((0..).step_by(LANES)) {
            let reach = boxes.reach(planes);
            let touched = (first..).zip(reach).filter(|(_, reach)| *reach >= 0.0);
            touched.for_each(|(group, _)| take(group * BLOCKS));
        }
    }
}
