//! Finds out what the squares of a position mean to the colour on turn, as classes of squares.

use super::{BLOCKED_CORNER, Planes};
use crate::blokus::board::{COLORS, Position, Rows};
use crate::blokus::moves::open_attach;
use crate::blokus::pieces::{PASS, PLANE_STRIDE, SIZE, Tables};
use crate::blokus::reach::Reach;
use crate::blokus::territory::classify;
use crate::cpu::multiversion;

const ROOM_RADIUS: usize = 3;

multiversion! {
    /// Puts the classes of all squares into planes.
    pub fn describe(planes: &mut Planes, tables: &Tables, position: &Position) = describe_body;
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
    classify(&Reach::of(position), &mut planes.joint);
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
