// Where the hare on turn may go, what that costs, and why not elsewhere. The server's list of moves
// decides what is legal. Prices and reasons are worked out here, with the names of the referee.
// Nothing here draws.

/** What an advance costs. @param {number} distance */
export const cost = (distance) => (distance * (distance + 1)) / 2;

/** @typedef {import("/static/js/types.js").View} View */
/**
 * What a hare has.
 * @typedef {{ field: number, carrots: number, salads: number, cards: string[] }} Hare
 */
/**
 * Why a field is out of reach, and the numbers that the sentence needs.
 * @typedef {{ rule: string, values: Record<string, number> }} Reason
 */

/** The hare on turn. @param {View} view */
export const mine = (view) => view.hares[view.seat ?? 0];
/** @param {View} view */
const other = (view) => view.hares[1 - (view.seat ?? 0)];

/**
 * The hedgehog field next behind, -1 if there is none.
 * @param {string[]} board
 * @param {number} from
 */
export function hedgehogBehind(board, from) {
  return board.slice(0, from).lastIndexOf("HEDGEHOG");
}

/** Whether the hare on turn has to eat a salad and can do nothing else. @param {View} view */
export function mustEat(view) {
  const me = mine(view);
  const ate = /^(E|C:EAT_SALAD)\b/.test(me.last_action || "");
  return view.board[me.field] === "SALAD" && me.salads > 0 && !ate;
}

/**
 * What a legal move makes of the hare on turn, after each of its actions.
 * @param {View} view @param {string} move
 * @returns {Hare[]}
 */
export function follow(view, move) {
  const { season, board } = view;
  const rival = other(view).field;
  /** @type {Hare[]} */
  const steps = [];
  /** @type {Hare} */
  let now = { ...mine(view) };
  const salad = (/** @type {Hare} */ hare) => ({
    ...hare,
    salads: hare.salads - 1,
    carrots: hare.carrots + (hare.field > rival ? season.first_gain : season.second_gain),
  });
  for (const action of move.split(" ")) {
    const [head, card, value] = action.split(":");
    if (head === "C") {
      now = { ...now, cards: now.cards.filter((one) => one !== card) };
      if (card === "TAKE_OR_DROP_CARROTS") now.carrots += Number(value);
      else if (card === "EAT_SALAD") now = salad(now);
      else now.field = card === "HURRY_AHEAD" ? rival + 1 : rival - 1;
    } else if (head[0] === "A") {
      const distance = Number(head.slice(1));
      now = { ...now, field: now.field + distance, carrots: now.carrots - cost(distance) };
    } else if (head[0] === "X") now = { ...now, carrots: now.carrots + Number(head.slice(1)) };
    else if (head === "E") now = salad(now);
    else if (head === "F") {
      const field = hedgehogBehind(board, now.field);
      now = { ...now, field, carrots: now.carrots + season.retreat_gain * (now.field - field) };
    }
    steps.push({ field: now.field, carrots: now.carrots, salads: now.salads, cards: now.cards });
  }
  return steps;
}

/**
 * The legal moves whose first step leads to a field, in the server's order.
 * @param {View} view @param {string[]} moves @param {number} to
 */
export function movesTo(view, moves, to) {
  const from = mine(view).field;
  if (to > from) return moves.filter((move) => move.split(" ")[0] === `A${to - from}`);
  return to < from && to === hedgehogBehind(view.board, from)
    ? moves.filter((move) => move === "F")
    : [];
}

/**
 * Why the hare on turn may not go to a field.
 * @param {View} view
 * @param {number} to
 * @returns {Reason}
 */
export function reason(view, to) {
  const me = mine(view);
  const field = view.board[to];
  const price = cost(to - me.field);
  const left = me.carrots - price;
  /** @param {string} rule @param {Record<string, number>} [values] */
  const no = (rule, values = {}) => ({ rule, values });
  if (to === me.field) return no("HERE");
  if (mustEat(view)) return no("MUST_EAT_SALAD");
  if (to < me.field) return to === 0 ? no("START_FIELD") : behind(view, to);
  // A hedgehog field comes before the price, because no amount of carrots would help.
  if (field === "HEDGEHOG") return no("HEDGEHOG_FIELD");
  if (left < 0) return no("TOO_FEW_CARROTS", { price, carrots: me.carrots });
  if (to === other(view).field && field !== "GOAL") return no("FIELD_OCCUPIED");
  if (field === "SALAD" && !me.salads) return no("NO_SALAD_LEFT");
  if (field === "GOAL" && me.salads) return no("SALADS_LEFT", { salads: me.salads });
  if (field === "GOAL" && left > view.season.goal_carrots)
    return no("TOO_MANY_CARROTS", { left, most: view.season.goal_carrots });
  return no(field === "HARE" ? "NO_PLAYABLE_CARD" : "NOT_ALLOWED");
}

/** @param {View} view @param {number} to @returns {Reason} */
function behind(view, to) {
  const nearest = hedgehogBehind(view.board, mine(view).field);
  if (nearest < 0) return { rule: "NO_HEDGEHOG_BEHIND", values: {} };
  if (to === nearest) return { rule: "FIELD_OCCUPIED", values: {} };
  return { rule: "NOT_NEAREST_HEDGEHOG", values: { nearest } };
}
