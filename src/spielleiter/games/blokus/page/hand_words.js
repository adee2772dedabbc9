// What playing by hand says, in German and English.
import { addWords } from "/static/js/i18n.js";

addWords({
  "hand.yours": ["Du bist am Zug: {color}", "Your turn: {color}"],
  "hand.ghost": ["{color}: {piece} auf {x}, {y}", "{color}: {piece} at {x}, {y}"],
  "hand.sent": ["Zug gesendet …", "Move sent …"],
  "hand.choose": ["Wähle einen Stein aus deiner Hand.", "Choose a piece from your hand."],
  "hand.where": [
    "Auf den hellen Feldern kann irgendein Stein liegen. Die Punkte sind freie Ecken.",
    "Some piece fits on the lit squares. The dots are open corners.",
  ],
  "hand.aim": [
    "{piece}: {n} Plätze in dieser Lage. Lege ihn auf ein helles Feld.",
    "{piece}: {n} places turned like this. Put it on a lit square.",
  ],
  "hand.aim1": [
    "{piece}: ein Platz in dieser Lage. Lege ihn auf die hellen Felder.",
    "{piece}: one place turned like this. Put it on the lit squares.",
  ],
  "hand.aim0": [
    "{piece} passt in dieser Lage nirgends. Drehe oder wende ihn.",
    "{piece} fits nowhere turned like this. Rotate or flip it.",
  ],
  "hand.nofit": ["{piece} passt nirgends mehr.", "{piece} fits nowhere any more."],
  "hand.stuck": ["passt nirgends", "fits nowhere"],
  "hand.notfirst": [
    "Der erste Stein jeder Farbe ist {piece}.",
    "The first piece of every colour is {piece}.",
  ],
  "hand.first.NOT_IN_CORNER": [
    "Jede Farbe beginnt mit {piece}. Er muss eine freie Ecke des Bretts bedecken.",
    "Every colour begins with {piece}. It must cover a free corner of the board.",
  ],
  "hand.first.NOT_ON_BORDER": [
    "Jede Farbe beginnt mit {piece}. Er muss an den Rand des Bretts.",
    "Every colour begins with {piece}. It must touch the edge of the board.",
  ],
  "hand.legal": ["Passt. Klick oder Enter legt den Stein.", "Fits. Click or Enter places it."],
  "hand.legal.touch": ["Passt. „Legen“ legt den Stein.", "Fits. “Place” puts it there."],
  "hand.left": ["Links drehen", "Rotate left"],
  "hand.right": ["Rechts drehen", "Rotate right"],
  "hand.flip": ["Wenden", "Flip"],
  "hand.place": ["Legen", "Place"],
  "hand.undo": ["Zurück", "Undo"],
  "hand.pass": ["Aussetzen", "Skip"],
  "hand.pass.sure": ["Wirklich?", "Really?"],
  "hand.pass.ask": [
    "{color} legt in dieser Runde nichts. Noch einmal „Aussetzen“ bestätigt das.",
    "{color} places nothing in this round. “Skip” once more confirms it.",
  ],
  "hand.where.button": ["Wo geht was?", "Where fits what?"],
  "hand.title": ["Deine Hand", "Your hand"],
  "hand.count": ["{n} übrig", "{n} left"],
  "hand.board": [
    "Spielbrett. Pfeiltasten bewegen den Stein, Enter legt ihn.",
    "Board. Arrow keys move the piece, Enter places it.",
  ],
  "hand.OUT_OF_BOUNDS": ["Ragt über den Rand.", "Sticks out over the edge."],
  "hand.OBSTRUCTED": ["Hier liegt schon ein Stein.", "There is a piece here already."],
  "hand.TOUCHES_SAME_COLOR": [
    "Liegt Kante an Kante mit der eigenen Farbe.",
    "Lies side by side with its own colour.",
  ],
  "hand.NO_SHARED_CORNER": [
    "Berührt keine Ecke der eigenen Farbe.",
    "Touches no corner of its own colour.",
  ],
  "hand.NOT_ON_BORDER": [
    "Der erste Stein muss an den Rand.",
    "The first piece must touch the edge of the board.",
  ],
  "hand.NOT_IN_CORNER": [
    "Der erste Stein muss eine freie Ecke des Bretts bedecken.",
    "The first piece must cover a free corner of the board.",
  ],
  "hand.WRONG_SHAPE": [
    "Der erste Stein jeder Farbe ist {piece}.",
    "The first piece of every colour is {piece}.",
  ],
  "hand.DUPLICATE_SHAPE": ["Schon gesetzt.", "Placed already."],
  "hand.NOT_ALLOWED": ["Hier nicht erlaubt.", "Not allowed here."],
  "hand.key.piece": ["Stein wählen", "Choose a piece"],
  "hand.key.turn": ["Drehen und wenden", "Turn and flip"],
  "hand.key.put": ["Legen", "Place"],
  "hand.key.look": ["Ansehen", "Look"],
  "hand.key.size": [
    "Stein mit so vielen Feldern, nochmal = der nächste",
    "piece with that many squares, again = the next",
  ],
  "hand.key.next": ["nächster, voriger Stein", "next, previous piece"],
  "hand.key.rot": ["rechts, links drehen", "rotate right, left"],
  "hand.key.flip": ["wenden", "flip"],
  "hand.key.move": ["bewegen", "move"],
  "hand.key.far": ["fünf Felder weit", "five squares"],
  "hand.key.jump": ["nächster Platz, an dem er passt", "next place where it fits"],
  "hand.key.enter": ["legen", "place"],
  "hand.key.esc": ["zurück in die Hand", "back into the hand"],
  "hand.key.undo": ["zurücknehmen", "undo"],
  "hand.key.pass": ["aussetzen, zweimal", "skip, twice"],
  "hand.key.where": ["wo geht überhaupt etwas", "where anything fits"],
  "hand.key.mouse": ["Mausrad dreht, Rechtsklick wendet", "wheel rotates, right click flips"],
});
