// Names of the values that server, pages and games hand to each other. See docs/decisions/page.md.

/** @typedef {{ de: string, en: string }} Text */
/** @typedef {[string, string]} Words German, English */
/** @typedef {Node | string | number | boolean | null | undefined | any[]} Child */

/**
 * @typedef {object} GameInfo
 * @property {string} id
 * @property {Text} title
 * @property {Text[]} seats what to call each seat
 * @property {Text[]} scores what each number of a score counts
 * @property {Text} unit what the first of them counts, as in "12 points"
 * @property {string | null} page address of the game's view.js
 * @property {number | null} limit seconds for a move when time counts
 */

/** @typedef {{ name: string }} BotInfo */

/**
 * @typedef {object} Info
 * @property {string} version
 * @property {GameInfo[]} games
 * @property {{ house: Record<string, BotInfo[]>, folder: Record<string, BotInfo[]> }} bots
 *   by id of the game
 * @property {{ host: string, port: number, limit: number | null } | null} server
 * @property {string | null} remote the other server whose matches are shown, if it is one
 * @property {boolean} [remote_away] whether that server cannot be reached now
 * @property {{ do: boolean, start: boolean, open: boolean }} may what this key may do
 * @property {string} default_game
 * @property {string[]} analysable ids of the games that an engine can judge here
 */

/**
 * A position, with what its game adds.
 * @typedef {{ game: string, title: string, turn: number, round: number, seat: number | null,
 *   over: boolean, last_move: string | null, scores: number[][], position: string,
 *   mobility?: (number | null)[] | null } & Record<string, any>} View
 */

/**
 * @typedef {{ seat: number, move: string, rule: string, reason: Text, cells: number[][] }} Fault
 */

/**
 * @typedef {object} Result
 * @property {number | null} winner
 * @property {number[][]} scores
 * @property {string} code
 * @property {boolean} regular
 * @property {Text} reason
 * @property {number} index
 * @property {Fault | null} fault
 */

/** @typedef {{ name: string, joined: boolean, person: boolean }} Seat */

/**
 * @typedef {object} Summary
 * @property {string} id
 * @property {string} game
 * @property {Text} title
 * @property {string[]} names
 * @property {"waiting" | "running" | "paused" | "ended"} phase
 * @property {"live" | "file" | "run"} source
 * @property {number | null} turn
 * @property {number[][] | null} scores
 * @property {View | null} view
 * @property {Seat[]} seats
 * @property {Result | null} result
 * @property {(string | null)[]} [reservations]
 */

/** @typedef {{ x: number, y: number, text: string, color: string | null }} Mark */
/**
 * @typedef {{ notes: string[], marks: Mark[], problem: string | null, is_fallback: boolean,
 *   failed?: string[] }} Thoughts
 */

/**
 * @typedef {object} Move
 * @property {number} turn
 * @property {number} seat
 * @property {string} move
 * @property {number | null} seconds
 * @property {string[]} hints
 * @property {Thoughts | null} thoughts
 */

/** @typedef {{ seat: number, stream: string, text: string, index: number }} Output */

/** How a position stands for the seat that sees it. @typedef {{ win: number, points: number }} Estimate */

/**
 * A move with what it cost, as the player who made it sees it.
 * @typedef {object} JudgedMove
 * @property {number} turn
 * @property {number} seat
 * @property {string} move
 * @property {"good" | "inaccuracy" | "mistake" | "blunder"} verdict
 * @property {number} lost points
 * @property {number} lost_win chance to win
 * @property {Estimate} before
 * @property {Estimate} after
 * @property {string} best
 * @property {string[]} continuation
 * @property {Text | null} remark
 */

/**
 * What an engine said about a match. Positions are as seat 0 sees them.
 * @typedef {object} Analysis
 * @property {number} seconds
 * @property {boolean} complete
 * @property {(Estimate | null)[]} positions
 * @property {(JudgedMove | null)[]} moves
 * @property {Text[]} sentences
 * @property {Text[]} problems
 */

/**
 * @typedef {object} MatchParts
 * @property {number | null} limit
 * @property {View[]} positions
 * @property {Move[]} moves
 * @property {Output[]} output
 * @property {number} printed lines so far, also those that are not in output any more
 * @property {{ seat: number, seconds: number } | null} asked
 * @property {(number | null)[] | null} evaluation points by which seat 0 will be ahead
 * @property {Analysis | null} analysis
 * @property {Text[]} [notes] what was unusual about a recording
 */
/** @typedef {Summary & MatchParts} Match */

/**
 * What a board shows besides a position.
 * @typedef {object} Extra
 * @property {boolean} [arrive] whether the last move has just been made
 * @property {Mark[]} [marks]
 * @property {Fault | null} [refused]
 * @property {string | null} [better] the move that would have been better than the last one
 * @property {number[][]} [squares] squares to point at
 * @property {number} [index] of the position in its match
 * @property {View | null} [before] the position before the last move
 */

/**
 * @typedef {object} Board
 * @property {Element} element
 * @property {(view: View, extra?: Extra) => void} show
 */

/** @typedef {{ mini?: boolean, label?: string, match?: string }} BoardOptions */
/** @typedef {{ chip: Element, picture: Element | null, short: string, full: string }} Described */

/**
 * What a game's play by hand gets.
 * @typedef {object} Table
 * @property {Board} board
 * @property {HTMLElement} panel beside the board, below it on a phone
 * @property {HTMLElement} dock fixed at the bottom on a phone, else on top of the panel
 * @property {number} seat
 * @property {string[]} names
 * @property {(text: string, kind?: "" | "yes" | "no" | "warn", title?: string) => void} status
 * @property {(move: string) => void} place
 * @property {(() => void) | null} undo null where it is not allowed
 */

/**
 * @typedef {object} Hand
 * @property {(view: View, moves: string[]) => void} ask it is this seat's turn
 * @property {() => void} rest it is not
 * @property {[string, [string[], string][]][]} keys for the help
 * @property {() => void} close
 * @property {() => void} [redraw] the language changed
 * @property {(move: string, reason: Text, cells: number[][]) => void} [refused]
 */

/**
 * @typedef {object} GameModule
 * @property {Record<string, Words>} words
 * @property {string[]} [styles] addresses of style sheets
 * @property {(options: BoardOptions) => Board} board
 * @property {(match: Match, index: number) => Element[]} sides
 * @property {(view: View, move: string) => Described} describe
 * @property {(seat: number) => Element} chip
 * @property {string} look class of a page that shows this game
 * @property {(view: View) => string} mover who moves next, "" for the name of the player
 * @property {(view: View) => string} opening what is to be said of the first position
 * @property {(view: View) => string} spoken the position for those who listen
 * @property {{ key: string, value: (view: View, seat: number) => number }[]} curves
 * @property {((table: Table) => Hand | Promise<Hand>) | null} hand
 * @property {((element: HTMLElement, game: GameInfo) => void | Promise<void>) | null} rules
 */

export {};
