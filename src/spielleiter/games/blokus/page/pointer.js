// Mouse and touch: on the board, and out of the hand onto the board.
import { h, put } from "/static/js/dom.js";
import { shape } from "./draw.js";

/** @typedef {import("./by_hand.js").ByHand} ByHand */
/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {{ clientX: number, clientY: number }} Point */

/**
 * Return where the top left corner lies of a piece whose middle is under a pointer.
 * @param {ByHand} desk @param {Choice} choice @param {Point} at
 * @returns {[number, number]}
 */
function under(desk, choice, at) {
  const [x, y] = desk.board.locate(at);
  return [Math.round(x - choice.form.width / 2), Math.round(y - choice.form.height / 2)];
}

/** A finger on the board, and where the ghost was when it came. */
class Finger {
  /** @param {ByHand} desk @param {Choice} choice @param {PointerEvent} event */
  constructor(desk, choice, event) {
    this.desk = desk;
    const [x, y] = desk.board.locate(event);
    this.x = x;
    this.y = y;
    const [left, top] = under(desk, choice, event);
    this.from = choice.ghost ?? { x: left, y: top };
    this.hasMoved = false;
  }
  /**
   * The ghost moves as far as the finger does, so the finger never hides it.
   * @param {PointerEvent} event
   */
  follow(event) {
    const [x, y] = this.desk.board.locate(event);
    if (Math.hypot(x - this.x, y - this.y) > 0.6) this.hasMoved = true;
    if (this.hasMoved)
      this.desk.aim(Math.round(this.from.x + x - this.x), Math.round(this.from.y + y - this.y));
  }
}

/** Listen to the pointer on the board. @param {ByHand} desk @param {AbortSignal} signal */
export function listenOnBoard(desk, signal) {
  const { svg } = desk.layer;
  /** @type {Finger | null} */
  let finger = null;
  /**
   * @template {keyof SVGElementEventMap} K
   * @param {K} name @param {(event: SVGElementEventMap[K], choice: Choice) => void} act
   */
  const on = (name, act) =>
    svg.addEventListener(
      name,
      (event) => {
        if (desk.choice?.pick) act(event, desk.choice);
      },
      { signal, passive: false },
    );
  on("pointermove", (event, choice) => {
    if (event.pointerType !== "mouse") return finger?.follow(event);
    desk.touch = false;
    desk.aim(...under(desk, choice, event));
  });
  on("pointerdown", (event, choice) => {
    if (event.button) return;
    desk.touch = event.pointerType !== "mouse";
    if (desk.touch) {
      svg.setPointerCapture(event.pointerId);
      finger = new Finger(desk, choice, event);
    } else {
      desk.aim(...under(desk, choice, event));
      desk.place();
    }
  });
  on("pointerup", (event, choice) => {
    if (!finger) return;
    if (!finger.hasMoved) desk.aim(...under(desk, choice, event));
    finger = null;
    desk.snap();
  });
  on("pointercancel", () => {
    finger = null;
  });
  on("pointerleave", (event) => {
    if (event.pointerType === "mouse" && document.activeElement !== svg) desk.lose();
  });
  on("wheel", (event) => {
    event.preventDefault();
    desk.turn(event.deltaY > 0 ? 1 : -1);
  });
  on("contextmenu", (event) => {
    event.preventDefault();
    if (!desk.touch) desk.flip();
  });
}

/** A piece on its way from the hand to the board. */
class Carried {
  /** @param {ByHand} desk @param {boolean} isFinger */
  constructor(desk, isFinger) {
    this.desk = desk;
    this.isFinger = isFinger;
    this.node = document.body.appendChild(h("div", { class: "drag" }));
  }
  /** @param {PointerEvent} event @param {Choice} choice */
  follow(event, choice) {
    const { desk } = this;
    const { form } = choice;
    const { unit } = desk.layer;
    // It floats above the finger and not under it.
    const lifted = this.isFinger ? (form.height / 2 + 1.6) * unit : 0;
    const at = { clientX: event.clientX, clientY: event.clientY - lifted };
    const [x, y] = desk.board.locate(at);
    if (x > -1 && y > -1 && x < 21 && y < 21) {
      put(this.node);
      desk.aim(...under(desk, choice, at));
      return;
    }
    put(this.node, shape(form, choice.placing.color, { unit }));
    const left = at.clientX - (form.width * unit) / 2;
    const top = at.clientY - (form.height * unit) / 2;
    this.node.style.setProperty("transform", `translate(${left}px, ${top}px)`);
    desk.lose();
  }
  drop() {
    const { choice } = this.desk;
    this.node.remove();
    if (!choice) return;
    if (!choice.ghost) this.desk.putBack();
    else if (this.isFinger) this.desk.snap();
    else if (choice.move) this.desk.place();
  }
}

/**
 * Take a piece from the hand. A click chooses it, a drag carries it to the board.
 * @param {ByHand} desk @param {PointerEvent} event @param {number} p
 */
export function lift(desk, event, p) {
  if (event.button || !desk.choice) return;
  const isFinger = event.pointerType !== "mouse";
  const stop = new AbortController();
  /** @type {Carried | null} */
  let carried = null;
  const follow = (/** @type {PointerEvent} */ now) => {
    const [dx, dy] = [now.clientX - event.clientX, now.clientY - event.clientY];
    if (!carried) {
      // A finger that goes sideways scrolls the hand.
      if (Math.hypot(dx, dy) < 8 || (isFinger && Math.abs(dx) > Math.abs(dy))) return;
      desk.touch = isFinger;
      if (!desk.choose(p)) return stop.abort();
      carried = new Carried(desk, isFinger);
    }
    if (desk.choice?.pick) carried.follow(now, desk.choice);
  };
  const done = (/** @type {PointerEvent} */ now) => {
    stop.abort();
    if (carried) carried.drop();
    else if (now.type === "pointerup") {
      desk.touch = isFinger;
      desk.choose(p);
    }
  };
  const { signal } = stop;
  addEventListener("pointermove", follow, { signal });
  addEventListener("pointerup", done, { signal });
  addEventListener("pointercancel", done, { signal });
}
