//! Plays quick, sensible moves: the rest of a game, or the few plies before a position is judged.
//!
//! A colour covers squares that the opponents' last moves have opened for them, with the largest
//! piece that can, and otherwise places its largest piece anywhere. What a move is worth in the
//! long run is not asked here.

use super::board::{COLORS, Position, ROWS, Rows};
use super::moves::{Anchors, Shifted, any, attached, fitting, open_attach};
use super::pieces::{FORMS, FULL_ROW, Form, PASS, PlacementId, SIZE, Tables, tables};
use crate::cpu::{Cpu, multiversion};
use crate::random::Random;

/// Rows that are searched at once for placements near the opponents' last moves.
const BLOCK: usize = 8;
const MOST_HITS: usize = 64;

/// How the playout chooses.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// How many blocks of placements near the last moves are gathered before one is drawn.
    pub hit_limit: usize,
    /// How much more likely a placement is that covers two or more of the squares aimed at.
    pub double_weight: f32,
}

/// Placements of one form in one block of rows that cover squares aimed at.
#[derive(Clone, Copy)]
struct Hit {
    form: u8,
    first_row: u8,
    count: u32,
    weight: f32,
    anchors: [u32; BLOCK],
}

const NO_HIT: Hit = Hit { form: 0, first_row: 0, count: 0, weight: 0.0, anchors: [0; BLOCK] };

/// Squares aimed at, and the rows in which there are any.
struct Target {
    squares: Rows,
    first_row: usize,
    last_row: usize,
}

/// The memory that playouts work in, and what they know about the game they are playing out.
pub struct Playout {
    free: Shifted,
    attach: Shifted,
    target: Shifted,
    hits: [Hit; MOST_HITS],
    /// The forms that may still fit somewhere, for each colour.
    alive: [u128; COLORS],
}

impl Default for Playout {
    fn default() -> Self {
        Playout {
            free: Shifted::EMPTY,
            attach: Shifted::EMPTY,
            target: Shifted::EMPTY,
            hits: [NO_HIT; MOST_HITS],
            alive: [u128::MAX; COLORS],
        }
    }
}

impl Playout {
    /// Prepares for moves from another position than before.
    pub fn restart(&mut self) {
        self.alive = [u128::MAX; COLORS];
    }

    /// Returns a move for the colour on turn, `PASS` if it has none.
    pub fn choose(
        &mut self,
        cpu: Cpu,
        position: &Position,
        policy: Policy,
        random: &mut Random,
    ) -> PlacementId {
        choose(cpu, self, tables(), position, policy, random)
    }
}

multiversion! {
    fn choose(
        playout: &mut Playout,
        tables: &Tables,
        position: &Position,
        policy: Policy,
        random: &mut Random,
    ) -> PlacementId = choose_body;
}

#[inline(always)]
fn choose_body(
    playout: &mut Playout,
    tables: &Tables,
    position: &Position,
    policy: Policy,
    random: &mut Random,
) -> PlacementId {
    let color = position.color();
    let free = position.free(color);
    let attach = open_attach(position, color, &free);
    if attach.is_empty() {
        return PASS;
    }
    playout.free.set(&free);
    playout.attach.set(&attach);
    let forms = forms_of(tables, position.choices(color)) & playout.alive[color];
    let first_form = random.below(FORMS as u32);
    let target = find_target(tables, position, color, &free);
    if target.first_row <= target.last_row {
        playout.target.set(&target.squares);
        let hits = gather(playout, tables, forms, first_form, &target, policy);
        if hits > 0 {
            return draw(&playout.hits[..hits], tables, random);
        }
    }
    place_anywhere(playout, tables, color, forms, first_form, random)
}

#[inline(always)]
fn forms_of(tables: &Tables, mut pieces: u32) -> u128 {
    let mut forms = 0;
    while pieces != 0 {
        forms |= tables.form_set_of_piece[pieces.trailing_zeros() as usize];
        pieces &= pieces - 1;
    }
    forms
}

/// Forms in the order in which they are tried: larger ones first, beginning anywhere in each size.
struct Order<'a> {
    tables: &'a Tables,
    forms: u128,
    from_first: u128,
    size: usize,
    now: u128,
    later: u128,
}

impl<'a> Order<'a> {
    #[inline(always)]
    fn new(tables: &'a Tables, forms: u128, first_form: u32) -> Self {
        Order { tables, forms, from_first: u128::MAX << first_form, size: 6, now: 0, later: 0 }
    }

    // Not an iterator with closures: this must become part of the function that calls it.
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, &'a Form)> {
        while self.now == 0 {
            if self.later == 0 {
                self.size -= 1;
                if self.size == 0 {
                    return None;
                }
                self.later = self.forms & self.tables.form_set_of_size[self.size];
                self.now = self.later & self.from_first;
                self.later &= !self.from_first;
            } else {
                self.now = self.later;
                self.later = 0;
            }
        }
        let index = self.now.trailing_zeros() as usize;
        self.now &= self.now - 1;
        Some((index, &self.tables.forms[index]))
    }
}

/// Finds the squares that the opponents' latest moves have opened for them, and those beside.
#[inline(always)]
fn find_target(tables: &Tables, position: &Position, color: usize, free: &Rows) -> Target {
    let mut target = Target { squares: Rows::EMPTY, first_row: ROWS, last_row: 0 };
    for back in 0..3.min(position.ply as usize) {
        let played = position.recent(back);
        let same_team = (played.color as usize ^ color) & 1 == 0;
        if same_team || played.placement == PASS {
            continue;
        }
        let at = tables.placements[played.placement as usize];
        let corners = &tables.forms[at.form as usize].corners;
        let forbidden = &position.forbidden[played.color as usize].0;
        let top = (at.y as usize).min(SIZE);
        // The corners the move opened, in rows top - 1 to top + 8 of the bitboards.
        let mut opened = [0u32; BLOCK + 2];
        for row in 0..BLOCK - 1 {
            let corner = (corners[row] << at.x) >> 1 & FULL_ROW;
            opened[row + 1] = corner & Rows::BOARD.0[top + row] & !forbidden[top + row];
        }
        for row in 0..BLOCK + 1 {
            let Some(board_row) = (top + row).checked_sub(1) else { continue };
            let above = if row > 0 { opened[row - 1] } else { 0 };
            let below = if row + 1 < BLOCK + 2 { opened[row + 1] } else { 0 };
            let beside = above | below | opened[row] << 1 | opened[row] >> 1;
            let wanted = opened[row] | beside & !forbidden[board_row];
            let squares = wanted & free.0[board_row];
            if squares != 0 {
                target.squares.0[board_row] |= squares;
                target.first_row = target.first_row.min(board_row);
                target.last_row = target.last_row.max(board_row);
            }
        }
    }
    target
}

/// Gathers placements that cover squares aimed at, with the largest pieces that have any.
#[inline(always)]
fn gather(
    playout: &mut Playout,
    tables: &Tables,
    forms: u128,
    first_form: u32,
    target: &Target,
    policy: Policy,
) -> usize {
    // A form that covers a row lies at most four rows above it. Row 1 is that of y = 0.
    let first_row = target.first_row.saturating_sub(5);
    let blocks = (target.last_row - 1 - first_row) / BLOCK + 1;
    let mut hits = 0;
    let mut size = 0;
    let mut order = Order::new(tables, forms, first_form);
    while let Some((index, form)) = order.next() {
        let enough = hits >= policy.hit_limit || hits + blocks > MOST_HITS;
        if hits > 0 && (enough || form.size != size) {
            break;
        }
        size = form.size;
        for block in 0..blocks {
            let row = first_row + block * BLOCK;
            let hit = find_hit(playout, index, form, row, policy);
            if hit.count > 0 {
                playout.hits[hits % MOST_HITS] = hit;
                hits += 1;
            }
        }
    }
    hits
}

/// Finds the placements of a form in a block of rows that cover squares aimed at.
#[inline(always)]
fn find_hit(playout: &Playout, index: usize, form: &Form, row: usize, policy: Policy) -> Hit {
    let (once, twice) = covering(playout, form, row);
    let double = twice.iter().fold(0, |all, row| all | row) != 0;
    let (anchors, factor) = if double { (twice, policy.double_weight) } else { (once, 1.0) };
    let count = anchors.iter().map(|row| row.count_ones()).sum::<u32>();
    let weight = factor * count as f32;
    Hit { form: index as u8, first_row: row as u8, count, weight, anchors }
}

/// Returns the legal positions of a form that cover one square aimed at, and two or more.
#[inline(always)]
fn covering(playout: &Playout, form: &Form, first_row: usize) -> ([u32; BLOCK], [u32; BLOCK]) {
    let Playout { free, attach, target, .. } = playout;
    let mut fits = *free.window::<BLOCK>(form.cells[0], first_row);
    let mut touches = *attach.window::<BLOCK>(form.tips[0], first_row);
    let mut once = *target.window::<BLOCK>(form.cells[0], first_row);
    let mut twice = [0; BLOCK];
    for index in 1..5 {
        let free = free.window::<BLOCK>(form.cells[index], first_row);
        let attach = attach.window::<BLOCK>(form.tips[index], first_row);
        for row in 0..BLOCK {
            fits[row] &= free[row];
            touches[row] |= attach[row];
        }
        if index < form.size as usize {
            let target = target.window::<BLOCK>(form.cells[index], first_row);
            for row in 0..BLOCK {
                twice[row] |= once[row] & target[row];
                once[row] |= target[row];
            }
        }
    }
    for row in 0..BLOCK {
        once[row] &= fits[row] & touches[row];
        twice[row] &= once[row];
    }
    (once, twice)
}

/// Draws one of the placements gathered, by weight.
#[inline(always)]
fn draw(hits: &[Hit], tables: &Tables, random: &mut Random) -> PlacementId {
    let total: f32 = hits.iter().map(|hit| hit.weight).sum();
    let mut rest = random.unit() * total;
    let mut chosen = &hits[hits.len() - 1];
    for hit in hits {
        rest -= hit.weight;
        if rest <= 0.0 {
            chosen = hit;
            break;
        }
    }
    let (row, x) = nth_bit(&chosen.anchors, random.below(chosen.count));
    let form = &tables.forms[chosen.form as usize];
    form.placement(x, chosen.first_row as usize + row)
}

/// Returns row and column of the bit that has `skipped` others before it.
#[inline(always)]
fn nth_bit(rows: &[u32], mut skipped: u32) -> (usize, usize) {
    for (row, &bits) in rows.iter().enumerate() {
        let count = bits.count_ones();
        if skipped < count {
            let rest = (0..skipped).fold(bits, |bits, _| bits & (bits - 1));
            return (row, rest.trailing_zeros() as usize);
        }
        skipped -= count;
    }
    unreachable!("there are more bits than are skipped")
}

/// Places one of the largest pieces that can be placed at all; `PASS` if none can.
#[inline(always)]
fn place_anywhere(
    playout: &mut Playout,
    tables: &Tables,
    color: usize,
    forms: u128,
    first_form: u32,
    random: &mut Random,
) -> PlacementId {
    let mut order = Order::new(tables, forms, first_form);
    while let Some((index, form)) = order.next() {
        let fits = fitting(&playout.free, form);
        if !any(&fits) {
            playout.alive[color] &= !(1 << index);
            continue;
        }
        let anchors: Anchors = attached(&playout.attach, form, &fits);
        let count = anchors.iter().map(|row| row.count_ones()).sum::<u32>();
        if count > 0 {
            let (y, x) = nth_bit(&anchors, random.below(count));
            return form.placement(x, y);
        }
    }
    PASS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::moves::{can_place, is_legal};
    use crate::blokus::sampling::random_positions;

    const POLICY: Policy = Policy { hit_limit: 3, double_weight: 10.0 };

    #[test]
    fn moves_are_legal_and_the_same_on_all_processors() {
        for (seed, position) in random_positions(9).iter().enumerate() {
            for color in 0..COLORS {
                let mut position = *position;
                position.turn = (position.turn & !3) + color as u8;
                let choose = |cpu: Cpu| {
                    let mut random = Random::new(seed as u64);
                    Playout::default().choose(cpu, &position, POLICY, &mut random)
                };
                let expected = choose(Cpu::portable());
                match expected {
                    PASS => assert!(!can_place(&position, color)),
                    placement => assert!(is_legal(tables(), &position, color, placement)),
                }
                for cpu in Cpu::all() {
                    assert_eq!(choose(cpu), expected);
                }
            }
        }
    }

    #[test]
    fn the_largest_piece_that_can_be_placed_is_placed() {
        let mut random = Random::new(1);
        for mut position in random_positions(3) {
            position.ply = 0;
            let color = position.color();
            let choice = Playout::default().choose(Cpu::detect(), &position, POLICY, &mut random);
            let size = tables().form_of(choice).size;
            let mut larger = position;
            larger.hands[color] &= (0..21)
                .filter(|&piece| tables().piece_size[piece] > size)
                .fold(0, |set, piece| set | 1 << piece);
            assert!(!can_place(&larger, color));
        }
    }
}
