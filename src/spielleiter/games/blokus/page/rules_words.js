// What the page of rules says, in German and English.
import { addWords } from "/static/js/i18n.js";

addWords({
  "rules.lead": [
    "Zwei Spieler teilen sich ein Brett mit 20 × 20 Feldern. Spieler 1 hat Blau und Rot, Spieler 2 Gelb und Grün. Wer mit beiden Farben zusammen mehr Felder bedeckt, gewinnt.",
    "Two players share a board of 20 × 20 squares. Player 1 has blue and red, player 2 yellow and green. Whoever covers more squares with both colours together wins.",
  ],
  "rules.touch": ["Was sich berühren darf", "What may touch"],
  "rules.touch.lead": [
    "Jeder weitere Stein berührt die eigene Farbe an mindestens einer Ecke und nie an einer Kante. Andere Farben sind ihm egal.",
    "Every further piece touches its own colour at a corner, at least one, and never at a side. Other colours do not matter.",
  ],
  "rules.ok": ["erlaubt", "allowed"],
  "rules.no": ["verboten", "forbidden"],
  "rules.touch.1": ["Nur eine Ecke zur eigenen Farbe.", "Its own colour at a corner only."],
  "rules.touch.2": ["Kante an Kante mit der eigenen Farbe.", "Side by side with its own colour."],
  "rules.touch.3": ["Keine Berührung mit der eigenen Farbe.", "No touch of its own colour."],
  "rules.touch.4": [
    "Kante an Kante mit einer anderen Farbe. Gelb berührt anderswo einen eigenen Stein.",
    "Side by side with another colour. Yellow touches a piece of its own elsewhere.",
  ],
  "rules.touch.5": [
    "Eine Ecke macht die Kante nicht wett.",
    "A corner does not make up for a side.",
  ],
  "rules.touch.6": ["Das Feld ist schon bedeckt.", "The square is covered already."],
  "rules.first": ["Der erste Stein", "The first piece"],
  "rules.first.lead": [
    "Welcher Stein jede Farbe beginnt, wird unter denen mit fünf Feldern ausgelost und ist für alle vier derselbe.",
    "Which piece every colour begins with is drawn among those of five squares, and it is the same for all four.",
  ],
  "rules.first.NOT_IN_CORNER": [
    "Er muss eine freie Ecke des Bretts bedecken. PENTO_X kann das nicht und wird nie gezogen.",
    "It must cover a free corner of the board. PENTO_X cannot do that and is never drawn.",
  ],
  "rules.first.NOT_ON_BORDER": [
    "Er muss irgendein Feld am Rand des Bretts bedecken. Alle zwölf können gezogen werden.",
    "It must cover any square at the edge of the board. All twelve may be drawn.",
  ],
  "rules.first.dots": [
    "Punkte: davon muss der nächste erste Stein eines bedecken.",
    "Dots: the next first piece must cover one of them.",
  ],
  "rules.turns": ["Züge, Runden und das Ende", "Turns, rounds and the end"],
  "rules.turns.1": [
    "Die Farben ziehen reihum: Blau, Gelb, Rot, Grün. Vier Züge sind eine Runde.",
    "The colours take turns: blue, yellow, red, green. Four turns are a round.",
  ],
  "rules.turns.2": [
    "Eine Farbe darf aussetzen, sobald sie ihren ersten Stein gelegt hat. Sie bleibt im Spiel.",
    "A colour may skip as soon as it has placed its first piece. It stays in the game.",
  ],
  "rules.turns.3": [
    "Eine Farbe, die bei ihrem Zug keinen Stein legen kann, ist für immer draußen. Was sie gelegt hat, zählt.",
    "A colour that cannot place a piece when its turn comes is out for good. What it has placed counts.",
  ],
  "rules.turns.4": [
    "Schluss ist, wenn keine Farbe mehr legen kann, spätestens nach {n} Runden.",
    "It is over when no colour can place a piece any more, at the latest after {n} rounds.",
  ],
  "rules.turns.finished": [
    "Schluss ist auch mit der Runde, in der eine Farbe ihren letzten Stein gelegt hat.",
    "It is also over with the round in which a colour has placed its last piece.",
  ],
  "rules.turns.goes": [
    "Hat eine Farbe alles gelegt, ziehen die anderen weiter.",
    "When a colour has placed everything, the others play on.",
  ],
  "rules.turns.fault": [
    "Wer eine Regel bricht, die Zeit überschreitet oder geht, hat sofort verloren.",
    "Whoever breaks a rule, takes too long or leaves has lost at once.",
  ],
  "rules.score": ["Punkte", "Scoring"],
  "rules.score.1": ["jedes bedeckte Feld", "every square covered"],
  "rules.score.15": ["alle 21 Steine gelegt", "all 21 pieces placed"],
  "rules.score.5": ["und der letzte war MONO", "and the last of them was MONO"],
  "rules.score.example": [
    "Ein Spiel am Ende. Alle Steine einer Farbe haben 89 Felder, davon geht ab, was in der Hand blieb.",
    "A match that is over. All pieces of a colour have 89 squares, less what stayed in the hand.",
  ],
  "rules.seat0": ["Blau und Rot", "Blue and red"],
  "rules.seat1": ["Gelb und Grün", "Yellow and green"],
  "rules.wins": ["gewinnt", "wins"],
  "rules.pieces": ["Die 21 Steine in allen 91 Lagen", "The 21 pieces in all 91 forms"],
  "rules.pieces.how": [
    "Drehung und +f (gewendet) heißen wie auf der Leitung. Erst drehen, dann wenden. Der Punkt ist die Ecke, die im Zug als Position steht. Darunter stehen andere Schreibweisen für dieselbe Lage.",
    "Rotation and +f (flipped) are named as on the wire. Turn first, then flip. The dot is the corner that a move gives as its position. Below are other spellings of the same form.",
  ],
  "rules.search": ["Suchen, etwa PENTO_R", "Search, such as PENTO_R"],
  "rules.forms": ["{n} Lagen", "{n} forms"],
  "rules.form1": ["1 Lage", "1 form"],
  "rules.any": ["= jede andere", "= any other"],
  "rules.all": ["alle", "all"],
  "rules.size": ["Felder", "Squares"],
  "rules.nopiece": ["Kein Stein heißt so.", "No piece has this name."],
});
