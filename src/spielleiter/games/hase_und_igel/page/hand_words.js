// What playing by hand says, in German and English.
import { addWords } from "/static/js/i18n.js";

addWords({
  "walk.yours": ["Du bist am Zug: {hare}", "Your turn: {hare}"],
  "walk.to": ["Feld {n}, {field}", "Field {n}, {field}"],
  "walk.pick": [
    "Wähle ein helles Feld: die Zahl ist der Preis in Karotten.",
    "Choose a lit field: the number is its price in carrots.",
  ],
  "walk.nowhere": ["Kein Feld ist erreichbar.", "No field can be reached."],
  "walk.sent": ["Zug gesendet …", "Move sent …"],
  "walk.cost": [
    "{d} Felder vor, kostet {c} Karotten, {r} bleiben.",
    "{d} fields ahead for {c} carrots, {r} remain.",
  ],
  "walk.cost1": [
    "Ein Feld vor, kostet 1 Karotte, {r} bleiben.",
    "One field ahead for 1 carrot, {r} remain.",
  ],
  "walk.back": [
    "Zurück auf den Igel: {d} Felder, bringt {c} Karotten, dann {r}.",
    "Back to the hedgehog: {d} fields bring {c} carrots, then {r}.",
  ],
  "walk.cards": ["Auf dem Hasenfeld spielst du eine Karte:", "On a hare field you play a card:"],
  "walk.left": ["{c} Karotten, {s} Salate bleiben", "{c} carrots, {s} salads remain"],
  "walk.ends": ["dann Feld {n}, {field}", "then field {n}, {field}"],
  "walk.go": ["Ziehen", "Move"],
  "walk.take": ["{c} Karotten nehmen", "Take {c} carrots"],
  "walk.give": ["{c} Karotten abgeben", "Give back {c} carrots"],
  "walk.eat": ["Salat fressen, bringt {c} Karotten", "Eat a salad, brings {c} carrots"],
  "walk.skip": ["Aussetzen", "Skip"],
  "walk.undo": ["Zurück", "Undo"],
  "walk.board": [
    "Laufstrecke. Pfeiltasten wählen ein Ziel, Enter zieht.",
    "Track. Arrow keys choose a target, Enter moves.",
  ],
  "walk.HERE": ["Hier stehst du.", "You are here."],
  "walk.MUST_EAT_SALAD": [
    "Erst musst du hier einen Salat fressen.",
    "First you must eat a salad here.",
  ],
  "walk.START_FIELD": ["Zum Start geht es nicht zurück.", "Nobody returns to the start."],
  "walk.HEDGEHOG_FIELD": [
    "Auf Igelfelder kommt man nur rückwärts.",
    "Hedgehog fields are reached backwards only.",
  ],
  "walk.TOO_FEW_CARROTS": [
    "Zu weit: kostet {price}, du hast {carrots} Karotten.",
    "Too far: costs {price}, you have {carrots} carrots.",
  ],
  "walk.FIELD_OCCUPIED": ["Hier sitzt der andere Hase.", "The other hare is here."],
  "walk.NO_SALAD_LEFT": ["Kein Salat mehr zum Fressen.", "No salad left to eat."],
  "walk.SALADS_LEFT": [
    "Ins Ziel nur ohne Salat, du hast noch {salads}.",
    "The goal takes no salads, you still have {salads}.",
  ],
  "walk.TOO_MANY_CARROTS": [
    "Ins Ziel mit höchstens {most} Karotten, {left} blieben.",
    "The goal takes at most {most} carrots, {left} would remain.",
  ],
  "walk.NO_PLAYABLE_CARD": [
    "Keine Karte, die hier gespielt werden kann.",
    "No card that can be played here.",
  ],
  "walk.NO_HEDGEHOG_BEHIND": [
    "Zurück geht es nur auf ein Igelfeld, und hinter dir ist keins.",
    "Backwards only to a hedgehog field, and there is none behind you.",
  ],
  "walk.NOT_NEAREST_HEDGEHOG": [
    "Zurück geht es nur auf das nächste Igelfeld, Feld {nearest}.",
    "Backwards only to the nearest hedgehog field, field {nearest}.",
  ],
  "walk.NOT_ALLOWED": ["Dahin geht es gerade nicht.", "Not possible now."],
  "walk.about.START": [
    "Hier beginnt das Rennen. Niemand kehrt hierher zurück.",
    "The race begins here. Nobody returns.",
  ],
  "walk.about.CARROT": [
    "Wer hier steht, darf statt zu laufen 10 Karotten nehmen oder abgeben.",
    "Whoever stands here may take or give back 10 carrots instead of running.",
  ],
  "walk.about.HARE": [
    "Wer hier ankommt, spielt sofort eine Karte.",
    "Whoever arrives here plays a card at once.",
  ],
  "walk.about.SALAD": [
    "Hier frisst man im nächsten Zug einen Salat: {first} Karotten, wenn man vorn liegt, sonst {second}.",
    "Here one eats a salad in the next turn: {first} carrots if one is ahead, else {second}.",
  ],
  "walk.about.HEDGEHOG": [
    "Hierher fällt man zurück und bekommt für jedes Feld {back} Karotten.",
    "One falls back to it and gets {back} carrots for each field.",
  ],
  "walk.about.POSITION_1": [
    "Wer zu Beginn seines Zuges hier steht und vorn liegt, bekommt {first} Karotten.",
    "Whoever stands here when their turn begins and is ahead gets {first} carrots.",
  ],
  "walk.about.POSITION_2": [
    "Wer zu Beginn seines Zuges hier steht und hinten liegt, bekommt {second} Karotten.",
    "Whoever stands here when their turn begins and is behind gets {second} carrots.",
  ],
  "walk.about.GOAL": [
    "Hinein kommt man ohne Salat und mit höchstens {most} Karotten.",
    "It is entered without salads and with at most {most} carrots.",
  ],
  "walk.key.target": ["nächstes, voriges Ziel", "next, previous target"],
  "walk.key.any": [
    "nächstes, voriges Feld, auch wenn es nicht geht",
    "next, previous field, reachable or not",
  ],
  "walk.key.card": ["andere Karten", "other cards"],
  "walk.key.go": ["ziehen", "move"],
  "walk.key.other": ["fressen, tauschen, aussetzen", "eat, exchange, skip"],
  "walk.key.esc": ["Ziel vergessen", "forget the target"],
  "walk.key.undo": ["zurücknehmen", "undo"],
});
