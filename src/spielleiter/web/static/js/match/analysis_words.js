// The words of the analysis of a match.
import { addWords } from "../i18n.js";

addWords({
  "a.start": ["Analysieren", "Analyse"],
  "a.start.long": [
    "Die Engine sucht zu jedem Zug den besten und sagt, was der gespielte gekostet hat",
    "The engine finds the best move in each position and says what the one played cost",
  ],
  "a.cancel": ["Analyse abbrechen", "Stop the analysis"],
  "a.running": ["{done} von {total}", "{done} of {total}"],
  "a.progress": ["Fortschritt der Analyse", "Progress of the analysis"],
  "a.done": ["Die Analyse ist fertig.", "The analysis is done."],
  "a.title": ["Analyse", "Analysis"],
  "a.partial": ["Die Analyse ist nicht vollständig.", "The analysis is not complete."],
  "a.inaccuracy": ["Ungenau", "Inaccuracy"],
  "a.mistake": ["Fehler", "Mistake"],
  "a.blunder": ["Grober Fehler", "Blunder"],
  "a.lost": ["{n} {unit} verloren", "{n} {unit} lost"],
  "a.chance": ["Gewinnchance {a} → {b}", "chance to win {a} → {b}"],
  "a.better": ["Besser war", "Better was"],
  "a.win": ["Gewinnchance von Spieler 1: {p}", "Player 1's chance to win: {p}"],
  "k.slip": ["nächster, voriger Fehler", "next, previous slip"],
});
