// What the page of rules says, in German and English.
import { addWords } from "/static/js/i18n.js";

addWords({
  "track.lead": [
    "Zwei Hasen laufen um die Wette, vom Start bis ins Ziel. Laufen kostet Karotten, und je weiter man auf einmal läuft, desto teurer wird jeder Schritt. Ins Ziel darf nur, wer alle Salate gefressen und kaum noch Karotten hat.",
    "Two hares race from the start to the goal. Walking costs carrots, and the farther one walks in one go, the more each step costs. Only those may enter the goal who have eaten all salads and have hardly a carrot left.",
  ],
  "track.course": ["Die Strecke", "The track"],
  "track.course.how": [
    "65 Felder. Die mit dickem Rand liegen immer hier, die anderen werden für jede Partie in Gruppen gemischt. Zwei Hasen stehen nie auf demselben Feld, außer auf dem Start und im Ziel.",
    "65 fields. Those with a thick rim always lie here, the others are shuffled in groups for each match. Two hares never stand on the same field, except on the start and in the goal.",
  ],
  "track.start": [
    "Jeder beginnt mit {carrots} Karotten, {salads} Salaten und einer Karte von jeder Art. Rot zieht zuerst.",
    "Each begins with {carrots} carrots, {salads} salads and one card of each kind. Red moves first.",
  ],
  "track.fields": ["Die Felder", "The fields"],
  "track.enter": ["Betreten", "Entering"],
  "track.stand": ["Darauf stehen", "Standing there"],
  "track.always": ["immer erlaubt", "always allowed"],
  "track.START.in": ["niemand kehrt zurück", "nobody returns to it"],
  "track.START.on": ["nur vorwärts", "forward only"],
  "track.CARROT.on": [
    "man darf {n} Karotten nehmen oder abgeben, so oft man will",
    "one may take or give back {n} carrots, as often as one likes",
  ],
  "track.HARE.in": [
    "nur wenn dort eine Karte gespielt werden kann, und das geschieht sofort",
    "only if a card can be played there, which is done at once",
  ],
  "track.HARE.on": ["im nächsten Zug geht es weiter", "it is left in the next turn"],
  "track.SALAD.in": ["nur mit einem Salat", "only with a salad"],
  "track.SALAD.on": [
    "im nächsten Zug frisst man einen Salat, danach geht es weiter",
    "one eats a salad in the next turn and leaves after that",
  ],
  "track.HEDGEHOG.in": ["nur durch Zurückfallen", "only by falling back to it"],
  "track.HEDGEHOG.on": ["im nächsten Zug geht es weiter", "it is left in the next turn"],
  "track.POSITION_1.on": [
    "{first} Karotten zu Beginn des eigenen Zuges, wenn man vorn ist",
    "{first} carrots at the beginning of one's turn, if one is ahead",
  ],
  "track.POSITION_2.on": [
    "{second} Karotten zu Beginn des eigenen Zuges, wenn man hinten ist",
    "{second} carrots at the beginning of one's turn, if one is behind",
  ],
  "track.GOAL.in": [
    "nur ohne Salate und mit höchstens {most} Karotten nach dem Bezahlen",
    "only without salads and with at most {most} carrots after paying",
  ],
  "track.GOAL.on": ["angekommen", "arrived"],
  "track.actions": ["Was man in einem Zug tut", "What one does in a turn"],
  "track.actions.how": [
    "Eines davon und sonst nichts. Nur nach einem Lauf auf ein Hasenfeld folgen Karten.",
    "One of these and nothing else. Only cards follow an advance onto a hare field.",
  ],
  "track.A": ["laufen", "advance"],
  "track.A.text": [
    "ein Feld oder mehr vorwärts, wenn die Karotten reichen und man das Feld betreten darf",
    "one field or more, if the carrots suffice and the field may be entered",
  ],
  "track.E": ["Salat fressen", "eat a salad"],
  "track.E.text": [
    "auf dem Salatfeld, im Zug nach dem Betreten: {first} Karotten, wenn man vorn ist, sonst {second}",
    "on a salad field, in the turn after entering it: {first} carrots if one is ahead, else {second}",
  ],
  "track.X": ["Karotten tauschen", "exchange carrots"],
  "track.X.text": [
    "auf dem Karottenfeld: {n} nehmen oder {n} abgeben",
    "on a carrot field: take {n} or give {n} back",
  ],
  "track.F": ["zurückfallen", "fall back"],
  "track.F.text": [
    "auf das nächste Igelfeld hinter einem, {back} Karotten für jedes Feld",
    "to the nearest hedgehog field behind, {back} carrots for each field",
  ],
  "track.S": ["aussetzen", "skip"],
  "track.S.text": ["nur wenn nichts anderes geht", "only if nothing else is possible"],
  "track.costs": ["Was Laufen kostet", "What walking costs"],
  "track.costs.how": [
    "n Felder kosten n · (n + 1) / 2 Karotten.",
    "n fields cost n · (n + 1) / 2 carrots.",
  ],
  "track.costs.fields": ["Felder", "fields"],
  "track.cards": ["Die Karten", "The cards"],
  "track.cards.how": [
    "Wer ein Hasenfeld betritt, spielt sofort eine Karte. Jede gibt es einmal. Führt sie auf ein weiteres Hasenfeld, folgt die nächste.",
    "Whoever enters a hare field plays a card at once. There is one of each. If it leads to another hare field, the next one follows.",
  ],
  "track.TAKE_OR_DROP_CARROTS": [
    "{n} Karotten nehmen, {n} abgeben oder keines von beiden",
    "take {n} carrots, give {n} back, or neither",
  ],
  "track.EAT_SALAD": [
    "einen Salat fressen: {first} Karotten, wenn man vorn ist, sonst {second}",
    "eat a salad: {first} carrots if one is ahead, else {second}",
  ],
  "track.HURRY_AHEAD": [
    "wer hinten ist: auf das Feld direkt vor dem anderen Hasen",
    "for the hare behind: to the field right in front of the other",
  ],
  "track.FALL_BACK": [
    "wer vorn ist: auf das Feld direkt hinter dem anderen Hasen",
    "for the hare ahead: to the field right behind the other",
  ],
  "track.example": ["Ein Zug mit drei Karten", "A turn with three cards"],
  "track.example.how": [
    "Blau steht zwischen zwei Hasenfeldern, und Rot ist hinten.",
    "Blue stands between two hare fields, and red is behind.",
  ],
  "track.example.A": [
    "Rot läuft {d} Felder für {c} Karotten.",
    "Red walks {d} fields for {c} carrots.",
  ],
  "track.example.card": ["Karte: {card}", "Card: {card}"],
  "track.example.rest": [
    "Feld {n}, {c} Karotten, {s} Salate",
    "field {n}, {c} carrots, {s} salads",
  ],
  "track.end": ["Das Ende", "The end"],
  "track.end.1": [
    "Kommt Rot ins Ziel, hat Blau noch einen Zug. Kommt Blau an, ist sofort Schluss.",
    "If red arrives, blue has one more turn. If blue arrives, it is over at once.",
  ],
  "track.end.2": ["Nach {n} Runden ist Schluss.", "It is over after {n} rounds."],
  "track.end.3": [
    "Wer weiter vorn ist, gewinnt. Sind beide im Ziel, gewinnt, wer weniger Karotten hat, und wenn auch die gleich sind, Rot.",
    "The hare that is farther wins. If both are in the goal, the one with fewer carrots wins, and if these are equal, red.",
  ],
  "track.end.4": [
    "Wer eine Regel bricht, die Zeit überschreitet oder geht, hat sofort verloren.",
    "Whoever breaks a rule, takes too long or leaves has lost at once.",
  ],
});
