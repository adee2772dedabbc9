//! Guesses, before any search, which placements are worth looking at.
//!
//! A placement's score is a sum of learned weights: one for each square it covers, for each square
//! beside it and at its corners, by what those squares mean to the four colours, and a few more for
//! the placement as a whole. Weights depend on the phase of the game and come from `training`.

use super::board::{COLORS, Position, Rows};
use super::moves::{LegalMoves, open_attach};
use super::pieces::{
    Form, NOWHERE, PASS, PIECES, PLANE, PLANE_STRIDE, PlacementId, SIZE, Tables, tables,
};
use crate::cpu::{Cpu, multiversion};

/// The number of this set of features, which is stored with the weights.
const FEATURE_SET: u32 = 1;
const MAGIC: &[u8; 4] = b"SLBP";

/// Covered squares: how near the two opponents are (4 each), and whether the partner attaches.
const CELL_CLASSES: usize = 32;
/// Squares beside: who is there or what is free (5), and whether an opponent is near.
const EDGE_CLASSES: usize = 10;
/// Squares at corners: free neighbours (5), an opponent's reach (3), own attach square; or blocked.
const CORNER_CLASSES: usize = 31;
const BLOCKED_CORNER: u8 = 30;
const FIRST_EDGE: usize = CELL_CLASSES;
const FIRST_CORNER: usize = FIRST_EDGE + EDGE_CLASSES;
const FIRST_PIECE: usize = FIRST_CORNER + CORNER_CLASSES;
/// Covers one, two, three or more squares that the opponents' last moves opened.
const FIRST_LOCAL: usize = FIRST_PIECE + PIECES;
const TOUCHES_PARTNER: usize = FIRST_LOCAL + 3;
/// Opens 0, 1, 2, 3, 4, 5 or more new attach squares.
const FIRST_OPENED: usize = TOUCHES_PARTNER + 1;
const MOST_OPENED: usize = 5;
const CENTRE: usize = FIRST_OPENED + MOST_OPENED + 1;
/// The roomiest corner, and the room at all corners.
const ROOM_BEST: usize = CENTRE + 1;
const ROOM_SUM: usize = ROOM_BEST + 1;
pub const FEATURES: usize = ROOM_SUM + 1;
pub const PHASES: usize = 6;

const ROOM_RADIUS: usize = 3;
const ROOM_SQUARES: f32 = 49.0;
const CENTRE_UNIT: f32 = 0.1;
const ROOM_SUM_UNIT: f32 = 0.25;
/// Scores are whole numbers of this many parts, so that sums do not depend on their order.
const PARTS: f32 = 512.0;
/// Sums carry three counts in their lowest bits: squares that the opponents' last moves opened,
/// squares of the partner, and new attach squares.
const LOCAL: i32 = 1;
const PARTNER: i32 = 1 << 3;
const OPENED: i32 = 1 << 7;
const COUNT_BITS: u32 = 11;

/// Returns the phase of the game: weights are learned for each on its own.
pub fn phase(ply: u8) -> usize {
    match ply {
        0..=3 => 0,
        4..=9 => 1,
        10..=17 => 2,
        18..=27 => 3,
        28..=39 => 4,
        _ => 5,
    }
}

/// The weights of one phase.
pub type Weights = [f32; FEATURES];

/// The learned weights of all phases.
#[derive(Clone, Debug, PartialEq)]
pub struct Priors {
    pub phases: Vec<Weights>,
}

impl Priors {
    /// Returns priors that know nothing but that large pieces should be placed early.
    pub fn untrained() -> Self {
        let mut weights = [0.0; FEATURES];
        for piece in 0..PIECES {
            weights[FIRST_PIECE + piece] = f32::from(tables().piece_size[piece]);
        }
        Priors { phases: vec![weights; PHASES] }
    }

    /// Reads weights that `write` wrote.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.get(..4) != Some(MAGIC) {
            return Err("these are not weights of priors".to_string());
        }
        if bytes.get(4..8) != Some(&FEATURE_SET.to_le_bytes()) {
            return Err("the priors belong to another set of features: train again".to_string());
        }
        let (values, _) = bytes[8..].as_chunks::<4>();
        if values.len() != PHASES * FEATURES {
            return Err(format!("there are {} weights of priors", values.len()));
        }
        let values: Vec<f32> = values.iter().map(|part| f32::from_le_bytes(*part)).collect();
        let (phases, _) = values.as_chunks::<FEATURES>();
        Ok(Priors { phases: phases.to_vec() })
    }

    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FEATURE_SET.to_le_bytes());
        for value in self.phases.iter().flatten() {
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }
}

/// A placement with its score, in parts of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scored {
    pub score: i32,
    pub placement: PlacementId,
}

impl Scored {
    /// Returns the score in units: the logarithm of how likely the placement is.
    pub fn units(self) -> f32 {
        self.score as f32 * (1.0 / PARTS)
    }
}

/// What the squares of a position mean, in planes with a margin around the board.
#[derive(Clone)]
pub struct Planes {
    cell_class: [u8; PLANE],
    edge_class: [u8; PLANE],
    corner_class: [u8; PLANE],
    /// Squares that the opponents' last moves have opened for them.
    local: [u8; PLANE],
    /// Free squares around that the colour does not reach soon.
    room: [u8; PLANE],
    cell_value: [i32; PLANE],
    edge_value: [i32; PLANE],
    corner_value: [i32; PLANE],
}

impl Default for Planes {
    fn default() -> Self {
        Planes {
            cell_class: [CELL_CLASSES as u8; PLANE],
            edge_class: [EDGE_CLASSES as u8; PLANE],
            corner_class: [CORNER_CLASSES as u8; PLANE],
            local: [0; PLANE],
            room: [0; PLANE],
            cell_value: [0; PLANE],
            edge_value: [0; PLANE],
            corner_value: [0; PLANE],
        }
    }
}

impl Planes {
    /// Finds out what the squares mean to the colour on turn.
    pub fn describe(&mut self, cpu: Cpu, position: &Position) {
        describe(cpu, self, tables(), position);
    }

    /// Scores all legal placements.
    pub fn score(
        &mut self,
        cpu: Cpu,
        weights: &Weights,
        moves: &LegalMoves,
        scored: &mut Vec<Scored>,
    ) {
        score(cpu, self, tables(), weights, moves, scored);
    }

    /// Adds up the features of one placement as training needs them: number and value.
    pub fn features(&self, placement: PlacementId) -> Vec<(usize, f32)> {
        let mut sums = [0.0f32; FEATURES];
        let form = tables().form_of(placement);
        let at = tables().placements[placement as usize];
        let anchor = at.y as usize * PLANE_STRIDE + at.x as usize;
        let squares = |offsets: &[u16]| -> Vec<usize> {
            let real = offsets.iter().filter(|&&offset| offset != NOWHERE);
            real.map(|&offset| anchor + offset as usize).collect()
        };
        let mut local = 0;
        for square in squares(&form.cell_offsets) {
            sums[self.cell_class[square] as usize] += 1.0;
            local += self.local[square] as usize;
        }
        for square in squares(&form.edge_offsets) {
            let class = self.edge_class[square] as usize;
            if class < EDGE_CLASSES {
                sums[FIRST_EDGE + class] += 1.0;
                if is_partner(class as u8) {
                    sums[TOUCHES_PARTNER] = 1.0;
                }
            }
        }
        let mut opened = 0;
        for square in squares(&form.corner_offsets) {
            let class = self.corner_class[square];
            if (class as usize) < CORNER_CLASSES {
                sums[FIRST_CORNER + class as usize] += 1.0;
                opened += usize::from(is_opened(class));
                let room = f32::from(self.room[square]) / ROOM_SQUARES;
                sums[ROOM_BEST] = sums[ROOM_BEST].max(room);
                sums[ROOM_SUM] += room * ROOM_SUM_UNIT;
            }
        }
        sums[FIRST_PIECE + form.piece as usize] = 1.0;
        if local > 0 {
            sums[FIRST_LOCAL + local.min(3) - 1] = 1.0;
        }
        sums[FIRST_OPENED + opened.min(MOST_OPENED)] = 1.0;
        sums[CENTRE] = tables().centre_distance[placement as usize] * CENTRE_UNIT;
        let present = sums.into_iter().enumerate().filter(|&(_, value)| value != 0.0);
        present.collect()
    }
}

#[inline(always)]
fn is_partner(edge_class: u8) -> bool {
    edge_class >> 1 == 1
}

/// Returns whether a corner is a new attach square with at least one free neighbour.
#[inline(always)]
fn is_opened(corner_class: u8) -> bool {
    (6..BLOCKED_CORNER).contains(&corner_class) && corner_class & 1 == 0
}

multiversion! {
    fn describe(planes: &mut Planes, tables: &Tables, position: &Position) = describe_body;
}

/// The bitboards that the meaning of squares is read from, for one colour on turn.
struct View {
    free: Rows,
    attach: Rows,
    partner_attach: Rows,
    partner: Rows,
    opponents: Rows,
    /// What each opponent reaches in no, one and two steps.
    reach: [[Rows; 3]; 2],
    local: Rows,
    /// Free squares that the colour does not reach in four steps.
    far: Rows,
}

#[inline(always)]
fn view(tables: &Tables, position: &Position) -> View {
    let color = position.color();
    let [left, partner, right] = [1, 2, 3].map(|seat| (color + seat) % COLORS);
    let free = position.free(color);
    let attach = open_attach(position, color, &free);
    let mut reached = attach;
    for _ in 0..4 {
        reached = grow(&reached, &free);
    }
    View {
        partner_attach: open_attach(position, partner, &position.free(partner)),
        partner: position.occupied[partner],
        opponents: union(&position.occupied[left], &position.occupied[right]),
        reach: [opponent_reach(position, left), opponent_reach(position, right)],
        local: local_squares(tables, position, color),
        far: Rows(std::array::from_fn(|row| free.0[row] & !reached.0[row])),
        free,
        attach,
    }
}

#[inline(always)]
fn union(first: &Rows, second: &Rows) -> Rows {
    Rows(std::array::from_fn(|row| first.0[row] | second.0[row]))
}

/// Adds the free squares beside these.
#[inline(always)]
fn grow(squares: &Rows, free: &Rows) -> Rows {
    let mut grown = Rows::EMPTY;
    for row in 1..=SIZE {
        let own = squares.0[row];
        let upright = squares.0[row - 1] | own | squares.0[row + 1];
        grown.0[row] = (upright | own << 1 | own >> 1) & free.0[row];
    }
    grown
}

#[inline(always)]
fn opponent_reach(position: &Position, color: usize) -> [Rows; 3] {
    if position.is_out(color) {
        return [Rows::EMPTY; 3];
    }
    let free = position.free(color);
    let attach = open_attach(position, color, &free);
    let near = grow(&attach, &free);
    [attach, near, grow(&near, &free)]
}

/// Finds the squares that the opponents' last moves have opened for them.
#[inline(always)]
fn local_squares(tables: &Tables, position: &Position, color: usize) -> Rows {
    let mut local = Rows::EMPTY;
    for back in 0..3.min(position.ply as usize) {
        let played = position.recent(back);
        if (played.color as usize ^ color) & 1 == 0 || played.placement == PASS {
            continue;
        }
        let at = tables.placements[played.placement as usize];
        let corners = &tables.forms[at.form as usize].corners;
        let free = position.free(played.color as usize);
        for (row, bits) in corners.iter().enumerate() {
            let row = row + at.y as usize;
            local.0[row] |= (bits << at.x) >> 1 & free.0[row];
        }
    }
    local
}

#[inline(always)]
fn describe_body(planes: &mut Planes, tables: &Tables, position: &Position) {
    let view = view(tables, position);
    let rooms = rooms(&view.far);
    for (row, rooms) in rooms.iter().enumerate().skip(1) {
        let first = row * PLANE_STRIDE + 1;
        let squares = first..first + SIZE;
        describe_cells(&view, row, &mut planes.cell_class[squares.clone()]);
        describe_edges(&view, row, &mut planes.edge_class[squares.clone()]);
        describe_corners(&view, row, &mut planes.corner_class[squares.clone()]);
        for (x, local) in planes.local[squares.clone()].iter_mut().enumerate() {
            *local = bit(view.local.0[row], x) as u8;
        }
        for (x, room) in planes.room[squares].iter_mut().enumerate() {
            *room = (bit(view.free.0[row], x) * rooms[x]) as u8;
        }
    }
}

#[inline(always)]
fn bit(row: u32, x: usize) -> u32 {
    row >> x & 1
}

#[inline(always)]
fn describe_cells(view: &View, row: usize, classes: &mut [u8]) {
    let [left, right] = &view.reach;
    let distance = |reach: &[Rows; 3], x: usize| -> u32 {
        3 - bit(reach[0].0[row], x) - bit(reach[1].0[row], x) - bit(reach[2].0[row], x)
    };
    for (x, class) in classes.iter_mut().enumerate() {
        let near = 4 * distance(left, x) + distance(right, x);
        *class = (2 * near + bit(view.partner_attach.0[row], x)) as u8;
    }
}

#[inline(always)]
fn describe_edges(view: &View, row: usize, classes: &mut [u8]) {
    let near = view.reach[0][1].0[row] | view.reach[1][1].0[row];
    let opponents = view.opponents.0[row];
    let partner = view.partner.0[row] & !opponents;
    let free = view.free.0[row];
    let attach = view.attach.0[row];
    let blocked = !(free | opponents | partner);
    for (x, class) in classes.iter_mut().enumerate() {
        let kind =
            bit(partner, x) + 2 * bit(blocked, x) + 3 * bit(attach, x) + 4 * bit(free & !attach, x);
        *class = (2 * kind + bit(near, x)) as u8;
    }
}

#[inline(always)]
fn describe_corners(view: &View, row: usize, classes: &mut [u8]) {
    let attached = view.reach[0][0].0[row] | view.reach[1][0].0[row];
    let near = (view.reach[0][1].0[row] | view.reach[1][1].0[row]) & !attached;
    let far = !(attached | near);
    let free = view.free.0[row];
    let (above, below) = (view.free.0[row - 1], view.free.0[row + 1]);
    let attach = view.attach.0[row];
    for (x, class) in classes.iter_mut().enumerate() {
        let neighbours = bit(above, x) + bit(below, x) + bit(free << 1, x) + bit(free >> 1, x);
        let opponent = bit(near, x) + 2 * bit(far, x);
        let open = 2 * (3 * neighbours + opponent) + bit(attach, x);
        *class = if bit(free, x) == 1 { open as u8 } else { BLOCKED_CORNER };
    }
}

/// Counts, around every square, the squares that are in a set.
#[inline(always)]
fn rooms(set: &Rows) -> [[u32; SIZE]; SIZE + 1] {
    let mut across = [[0u32; SIZE]; SIZE + 2 * ROOM_RADIUS + 1];
    for row in 1..=SIZE {
        let padded = set.0[row] << ROOM_RADIUS;
        for (x, sum) in across[row + ROOM_RADIUS].iter_mut().enumerate() {
            *sum = (0..=2 * ROOM_RADIUS).map(|step| bit(padded, x + step)).sum();
        }
    }
    let mut sums = [[0u32; SIZE]; SIZE + 1];
    for row in 1..=SIZE {
        for step in 0..=2 * ROOM_RADIUS {
            for (sum, part) in sums[row].iter_mut().zip(&across[row + step]) {
                *sum += part;
            }
        }
    }
    sums
}

multiversion! {
    fn score(
        planes: &mut Planes,
        tables: &Tables,
        weights: &Weights,
        moves: &LegalMoves,
        scored: &mut Vec<Scored>,
    ) = score_body;
}

#[inline(always)]
fn score_body(
    planes: &mut Planes,
    tables: &Tables,
    weights: &Weights,
    moves: &LegalMoves,
    scored: &mut Vec<Scored>,
) {
    weigh_squares(planes, weights);
    let whole_form = WholeForm::new(weights);
    scored.clear();
    for (index, anchors) in moves.by_form() {
        let form = &tables.forms[index];
        let piece = whole(weights[FIRST_PIECE + form.piece as usize]);
        for (y, &row) in anchors.iter().enumerate().take(SIZE) {
            let mut bits = row;
            while bits != 0 {
                let x = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let placement = form.placement(x, y);
                let squares = score_squares(planes, &whole_form, form, y * PLANE_STRIDE + x);
                let centre = tables.centre_distance[placement as usize] * CENTRE_UNIT;
                let score = piece + squares + whole(weights[CENTRE] * centre);
                scored.push(Scored { score, placement });
            }
        }
    }
}

#[inline(always)]
fn whole(value: f32) -> i32 {
    (value * PARTS) as i32
}

/// The weights of what a placement does as a whole, by the counts of it.
struct WholeForm {
    local: [i32; 8],
    partner: [i32; 16],
    opened: [i32; 16],
    room: [i32; 64],
}

impl WholeForm {
    #[inline(always)]
    fn new(weights: &Weights) -> Self {
        WholeForm {
            local: std::array::from_fn(|count| match count {
                0 => 0,
                _ => whole(weights[FIRST_LOCAL + count.min(3) - 1]),
            }),
            partner: std::array::from_fn(|count| match count {
                0 => 0,
                _ => whole(weights[TOUCHES_PARTNER]),
            }),
            opened: std::array::from_fn(|count| {
                whole(weights[FIRST_OPENED + count.min(MOST_OPENED)])
            }),
            room: std::array::from_fn(|count| {
                whole(weights[ROOM_BEST] * count as f32 / ROOM_SQUARES)
            }),
        }
    }
}

/// Puts the weights of the squares' classes into planes, with the counts.
#[inline(always)]
fn weigh_squares(planes: &mut Planes, weights: &Weights) {
    let class_weight = |first: usize, count: usize| -> [i32; 64] {
        std::array::from_fn(|class| match class {
            class if class < count => whole(weights[first + class]) << COUNT_BITS,
            _ => 0,
        })
    };
    let cell_weight = class_weight(0, CELL_CLASSES);
    let edge_weight = class_weight(FIRST_EDGE, EDGE_CLASSES);
    let corner_weight = class_weight(FIRST_CORNER, CORNER_CLASSES);
    let room_weight = weights[ROOM_SUM] * ROOM_SUM_UNIT / ROOM_SQUARES;
    for row in 1..=SIZE {
        let first = row * PLANE_STRIDE + 1;
        for square in first..first + SIZE {
            let cell_class = planes.cell_class[square];
            let edge_class = planes.edge_class[square];
            let corner_class = planes.corner_class[square];
            let room = whole(room_weight * f32::from(planes.room[square])) << COUNT_BITS;
            planes.cell_value[square] =
                cell_weight[cell_class as usize & 63] + LOCAL * i32::from(planes.local[square]);
            planes.edge_value[square] =
                edge_weight[edge_class as usize & 63] + PARTNER * i32::from(is_partner(edge_class));
            planes.corner_value[square] = corner_weight[corner_class as usize & 63]
                + room
                + OPENED * i32::from(is_opened(corner_class));
        }
    }
}

/// Scores the squares that a form covers at an anchor, and those around it.
#[inline(always)]
fn score_squares(planes: &Planes, whole_form: &WholeForm, form: &Form, anchor: usize) -> i32 {
    let mut sum = 0;
    for offset in form.cell_offsets {
        sum += planes.cell_value[(anchor + offset as usize) & (PLANE - 1)];
    }
    for offset in form.edge_offsets {
        sum += planes.edge_value[(anchor + offset as usize) & (PLANE - 1)];
    }
    let mut best_room = 0;
    for offset in form.corner_offsets {
        let square = (anchor + offset as usize) & (PLANE - 1);
        sum += planes.corner_value[square];
        best_room = best_room.max(planes.room[square]);
    }
    (sum >> COUNT_BITS)
        + whole_form.local[(sum & 7) as usize]
        + whole_form.partner[(sum >> PARTNER.trailing_zeros() & 15) as usize]
        + whole_form.opened[(sum >> OPENED.trailing_zeros() & 15) as usize]
        + whole_form.room[best_room as usize & 63]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::sampling::random_positions;
    use crate::random::Random;

    fn random_priors() -> Priors {
        let mut random = Random::new(5);
        let mut priors = Priors::untrained();
        for weight in priors.phases.iter_mut().flatten() {
            *weight = random.normal();
        }
        priors
    }

    #[test]
    fn weights_survive_writing_and_reading() {
        let priors = random_priors();
        assert_eq!(Priors::read(&priors.write()), Ok(priors));
        assert!(Priors::read(b"SLBP").is_err());
        assert!(Priors::read(b"other").is_err());
    }

    #[test]
    fn scores_are_the_weighted_features_on_all_processors() {
        let priors = random_priors();
        for position in random_positions(6).iter().step_by(5) {
            let weights = &priors.phases[phase(position.ply)];
            let mut moves = LegalMoves::default();
            moves.find(Cpu::portable(), position, position.color());
            let mut expected = Vec::new();
            let mut planes = Planes::default();
            planes.describe(Cpu::portable(), position);
            planes.score(Cpu::portable(), weights, &moves, &mut expected);
            assert!(!expected.is_empty());
            for scored in &expected {
                let features = planes.features(scored.placement);
                let sum: f32 = features.iter().map(|&(index, value)| weights[index] * value).sum();
                assert!((scored.units() - sum).abs() < 0.06, "{} {sum}", scored.units());
            }
            for cpu in Cpu::all() {
                let mut found = Vec::new();
                planes.describe(cpu, position);
                planes.score(cpu, weights, &moves, &mut found);
                assert_eq!(found, expected);
            }
        }
    }
}
