//! The 21 pieces, the 91 forms they take when turned and flipped, and the 30,433 placements.
//!
//! Geometry only, in tables that are made once. Where a piece may lie is decided in `moves.rs`.

use std::ops::Range;
use std::sync::LazyLock;

pub const SIZE: usize = 20;
pub const PIECES: usize = 21;
pub const FORMS: usize = 91;
pub const PLACEMENTS: usize = 30_433;
pub const FULL_HAND: u32 = (1 << PIECES) - 1;
/// The squares of all pieces of one colour together.
pub const SQUARES: i32 = 89;
pub const MONO: usize = 0;
/// The squares of a row, one bit each.
pub const FULL_ROW: u32 = (1 << SIZE) - 1;
/// The width of the padded planes of squares that offsets of neighbours refer to.
pub const PLANE_STRIDE: usize = 32;
/// The number of squares of a padded plane, a power of two. The second half is always empty...
pub const PLANE: usize = 2048;
/// ...and this offset leads there from every square of the board.
pub const NOWHERE: u16 = 1024;
/// The most squares that a form has beside it, and at its corners.
const MOST_EDGES: usize = 12;
const MOST_CORNERS: usize = 8;

/// The number of a placement: a form at a position. Sorted by form, then row, then column.
pub type PlacementId = u16;
/// Stands for "no placement", such as a colour that cannot move.
pub const PASS: PlacementId = PlacementId::MAX;

/// One drawing a piece, rows separated by "/", in the order of the pieces' numbers.
const DRAWINGS: [&str; PIECES] = [
    "#",
    "##",
    "#./##",
    "#/#/#",
    "##/##",
    "###/.#.",
    "#/#/#/#",
    "#./#./##",
    "##./.##",
    "#./#./#./##",
    "###/.#./.#.",
    "#../#../###",
    ".###/##..",
    "##./.#./.##",
    "#/#/#/#/#",
    "##/##/#.",
    "#../##./.##",
    "#.#/###",
    "..#/###/.#.",
    ".#./###/.#.",
    ".#/##/.#/.#",
];

/// A square of a form, counted from the top left corner of its box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub y: u8,
    pub x: u8,
}

/// A piece in one of its directions.
#[derive(Clone, Debug)]
pub struct Form {
    pub piece: u8,
    pub size: u8,
    pub width: u8,
    pub height: u8,
    pub first_placement: PlacementId,
    /// The squares row by row, filled up to five with the first one.
    pub cells: [Cell; 5],
    /// The squares that can touch another piece with a corner alone, filled up with the first one.
    pub tips: [Cell; 5],
    /// The squares as bits, one number a row; the box's top row is entry 1, its left column bit 1.
    pub body: [u32; 8],
    /// The squares beside the form, in the same frame as `body`.
    pub edges: [u32; 8],
    /// The squares that touch the form with a corner alone, in the same frame as `body`.
    pub corners: [u32; 8],
    /// Offsets of squares, edges and corners in a padded plane from the square left above the box.
    /// They are filled up with `NOWHERE`.
    pub cell_offsets: [u16; 5],
    pub edge_offsets: [u16; MOST_EDGES],
    pub corner_offsets: [u16; MOST_CORNERS],
}

impl Form {
    /// Returns the number of this form at a position.
    #[inline(always)]
    pub fn placement(&self, x: usize, y: usize) -> PlacementId {
        let columns = SIZE + 1 - self.width as usize;
        self.first_placement + (y * columns + x) as PlacementId
    }
}

/// Where a form lies: the top left corner of its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub form: u8,
    pub x: u8,
    pub y: u8,
}

/// All that is known about pieces before a game begins.
pub struct Tables {
    pub forms: Vec<Form>,
    pub placements: Vec<Placement>,
    pub forms_of_piece: [Range<usize>; PIECES],
    /// The forms of each piece as a bit set.
    pub form_set_of_piece: [u128; PIECES],
    /// The forms with this many squares as a bit set.
    pub form_set_of_size: [u128; 6],
    pub piece_size: [u8; PIECES],
    /// The smallest distance of a placement's squares to the middle of the board.
    pub centre_distance: Vec<f32>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::build);

/// Returns the tables, which are made when they are first asked for.
pub fn tables() -> &'static Tables {
    &TABLES
}

impl Tables {
    fn build() -> Self {
        let mut forms: Vec<Form> = Vec::new();
        let mut first_placement = 0;
        for (piece, drawing) in DRAWINGS.iter().enumerate() {
            for cells in directions(&read_drawing(drawing)) {
                let form = build_form(piece, &cells, first_placement as PlacementId);
                first_placement += positions(&form).count();
                forms.push(form);
            }
        }
        let placements: Vec<Placement> = (forms.iter().enumerate())
            .flat_map(|(index, form)| {
                positions(form).map(move |(x, y)| Placement { form: index as u8, x, y })
            })
            .collect();
        let centre_distance = placements
            .iter()
            .map(|placement| centre_distance(&forms[placement.form as usize], placement))
            .collect();
        let forms_of_piece = std::array::from_fn(|piece| {
            let first = forms.partition_point(|form| (form.piece as usize) < piece);
            first..forms.partition_point(|form| form.piece as usize <= piece)
        });
        let form_set = |wanted: &dyn Fn(&Form) -> bool| {
            let chosen = forms.iter().enumerate().filter(|(_, form)| wanted(form));
            chosen.fold(0u128, |set, (index, _)| set | 1 << index)
        };
        Tables {
            form_set_of_piece: std::array::from_fn(|piece| {
                form_set(&|form| form.piece as usize == piece)
            }),
            form_set_of_size: std::array::from_fn(|size| {
                form_set(&|form| form.size as usize == size)
            }),
            piece_size: std::array::from_fn(|piece| DRAWINGS[piece].matches('#').count() as u8),
            forms_of_piece,
            placements,
            centre_distance,
            forms,
        }
    }

    /// Returns the form of a placement.
    #[inline(always)]
    pub fn form_of(&self, placement: PlacementId) -> &Form {
        &self.forms[self.placements[placement as usize].form as usize]
    }

    /// Returns the squares of a placement as (x, y), row by row.
    pub fn squares(&self, placement: PlacementId) -> Vec<(usize, usize)> {
        let at = self.placements[placement as usize];
        let form = &self.forms[at.form as usize];
        form.cells[..form.size as usize]
            .iter()
            .map(|cell| ((at.x + cell.x) as usize, (at.y + cell.y) as usize))
            .collect()
    }

    /// Returns the placement that covers exactly these squares, None if there is none.
    pub fn find(&self, squares: &[(usize, usize)]) -> Option<PlacementId> {
        let left = squares.iter().map(|square| square.0).min()?;
        let top = squares.iter().map(|square| square.1).min()?;
        let mut body = [0u32; 8];
        for &(x, y) in squares {
            if x >= SIZE || y >= SIZE || x - left > 4 || y - top > 4 {
                return None;
            }
            body[y - top + 1] |= 2 << (x - left);
        }
        let form = self.forms.iter().find(|form| form.body == body)?;
        Some(form.placement(left, top))
    }

    /// Returns the squares that the pieces of a hand have together.
    pub fn hand_squares(&self, hand: u32) -> i32 {
        (0..PIECES)
            .filter(|piece| hand >> piece & 1 == 1)
            .map(|piece| i32::from(self.piece_size[piece]))
            .sum()
    }
}

fn read_drawing(drawing: &str) -> Vec<(i32, i32)> {
    drawing
        .split('/')
        .enumerate()
        .flat_map(|(y, row)| {
            let marks = row.char_indices().filter(|&(_, mark)| mark == '#');
            marks.map(move |(x, _)| (x as i32, y as i32))
        })
        .collect()
}

/// Returns the different forms of a piece: by quarter turns, each plain and then flipped.
fn directions(base: &[(i32, i32)]) -> Vec<Vec<(i32, i32)>> {
    let mut known: Vec<Vec<(i32, i32)>> = Vec::new();
    for quarter_turns in 0..4 {
        for flipped in [false, true] {
            let cells = transform(base, quarter_turns, flipped);
            if !known.contains(&cells) {
                known.push(cells);
            }
        }
    }
    known
}

/// Turns clockwise, then flips left to right, then pushes into the top left corner.
fn transform(base: &[(i32, i32)], quarter_turns: usize, flipped: bool) -> Vec<(i32, i32)> {
    let turn = |(x, y): (i32, i32)| (0..quarter_turns).fold((x, y), |(x, y), _| (-y, x));
    let flip = |(x, y): (i32, i32)| if flipped { (-x, y) } else { (x, y) };
    let moved: Vec<_> = base.iter().map(|&cell| flip(turn(cell))).collect();
    let left = moved.iter().map(|cell| cell.0).min().unwrap_or(0);
    let top = moved.iter().map(|cell| cell.1).min().unwrap_or(0);
    let mut cells: Vec<_> = moved.iter().map(|(x, y)| (x - left, y - top)).collect();
    cells.sort_by_key(|&(x, y)| (y, x));
    cells
}

fn build_form(piece: usize, cells: &[(i32, i32)], first_placement: PlacementId) -> Form {
    let mut body = [0u32; 8];
    for &(x, y) in cells {
        body[y as usize + 1] |= 2 << x;
    }
    let row = |index: usize| body.get(index).copied().unwrap_or(0);
    let beside = |k: usize| row(k.wrapping_sub(1)) | row(k + 1) | row(k) << 1 | row(k) >> 1;
    let edges = std::array::from_fn(|k| beside(k) & !row(k));
    let corners = std::array::from_fn(|k| {
        let upright = row(k.wrapping_sub(1)) | row(k + 1);
        (upright << 1 | upright >> 1) & !beside(k) & !row(k)
    });
    let has_open_corner = |&&(x, y): &&(i32, i32)| {
        [(1, 1), (1, -1), (-1, 1), (-1, -1)]
            .iter()
            .any(|(dx, dy)| !cells.contains(&(x + dx, y)) && !cells.contains(&(x, y + dy)))
    };
    let tips: Vec<_> = cells.iter().filter(has_open_corner).copied().collect();
    Form {
        piece: piece as u8,
        size: cells.len() as u8,
        width: cells.iter().map(|cell| cell.0).max().unwrap_or(0) as u8 + 1,
        height: cells.iter().map(|cell| cell.1).max().unwrap_or(0) as u8 + 1,
        first_placement,
        cells: fill_up(cells),
        tips: fill_up(&tips),
        body,
        edges,
        corners,
        cell_offsets: offsets(&body),
        edge_offsets: offsets(&edges),
        corner_offsets: offsets(&corners),
    }
}

fn fill_up(cells: &[(i32, i32)]) -> [Cell; 5] {
    std::array::from_fn(|index| {
        let (x, y) = *cells.get(index).unwrap_or(&cells[0]);
        Cell { x: x as u8, y: y as u8 }
    })
}

/// Returns the squares of a frame of rows as offsets in a padded plane.
fn offsets<const COUNT: usize>(rows: &[u32; 8]) -> [u16; COUNT] {
    let mut found = [NOWHERE; COUNT];
    let squares = (0..64).filter(|square| rows[square / 8] >> (square % 8) & 1 == 1);
    for (offset, square) in found.iter_mut().zip(squares) {
        *offset = (square / 8 * PLANE_STRIDE + square % 8) as u16;
    }
    found
}

/// Returns all positions of a form on the board as (x, y), row by row.
fn positions(form: &Form) -> impl Iterator<Item = (u8, u8)> + use<> {
    let columns = SIZE as u8 + 1 - form.width;
    let rows = SIZE as u8 + 1 - form.height;
    (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)))
}

fn centre_distance(form: &Form, placement: &Placement) -> f32 {
    let middle = (SIZE as f32 - 1.0) / 2.0;
    form.cells
        .iter()
        .map(|cell| {
            let x = f32::from(placement.x + cell.x) - middle;
            let y = f32::from(placement.y + cell.y) - middle;
            (x * x + y * y).sqrt()
        })
        .fold(f32::INFINITY, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_91_forms_and_30433_placements() {
        assert_eq!(tables().forms.len(), FORMS);
        assert_eq!(tables().placements.len(), PLACEMENTS);
        assert_eq!(tables().hand_squares(FULL_HAND), SQUARES);
    }

    #[test]
    fn every_placement_is_found_by_its_squares() {
        for placement in 0..PLACEMENTS as PlacementId {
            let squares = tables().squares(placement);
            assert!(squares.iter().all(|&(x, y)| x < SIZE && y < SIZE));
            assert_eq!(tables().find(&squares), Some(placement));
        }
    }

    #[test]
    fn squares_that_are_no_piece_are_not_found() {
        assert_eq!(tables().find(&[]), None);
        assert_eq!(tables().find(&[(0, 0), (2, 0)]), None);
        assert_eq!(tables().find(&[(20, 0)]), None);
        assert_eq!(tables().find(&[(0, 0), (19, 19)]), None);
    }

    #[test]
    fn the_forms_of_a_piece_lie_together() {
        let counts: Vec<_> = tables().forms_of_piece.iter().map(Range::len).collect();
        let expected = [1, 2, 4, 2, 1, 4, 2, 8, 4, 8, 4, 4, 8, 4, 2, 8, 4, 4, 8, 1, 8];
        assert_eq!(counts, expected);
    }

    #[test]
    fn offsets_have_room_for_all_squares_around() {
        let count = |rows: &[u32; 8]| rows.iter().map(|row| row.count_ones()).sum::<u32>();
        let edges = tables().forms.iter().map(|form| count(&form.edges)).max();
        let corners = tables().forms.iter().map(|form| count(&form.corners)).max();
        assert_eq!((edges, corners), (Some(MOST_EDGES as u32), Some(MOST_CORNERS as u32)));
    }

    #[test]
    fn the_cross_has_four_tips_eight_edges_and_eight_corners() {
        let form = &tables().forms[tables().forms_of_piece[19].start];
        let count = |rows: &[u32; 8]| rows.iter().map(|row| row.count_ones()).sum::<u32>();
        assert_eq!(count(&form.body), 5);
        assert_eq!(count(&form.edges), 8);
        assert_eq!(count(&form.corners), 8);
        let middle = Cell { x: 1, y: 1 };
        assert!(!form.tips.contains(&middle));
    }
}
