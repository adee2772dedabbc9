// The words of home.
import { addWords } from "../i18n.js";

addWords({
  "home.title": ["Was wird gespielt?", "What is being played?"],
  "home.running": ["Laufend", "Running"],
  "home.waiting": ["Wartend", "Waiting"],
  "home.finished": ["Beendet", "Finished"],
  "home.none.running": ["Gerade läuft keine Partie.", "No match is running just now."],
  "home.none.finished": [
    "Noch keine Partie zu Ende. Eine aufgezeichnete lässt sich öffnen.",
    "No match has ended yet. A recorded one can be opened.",
  ],
  "home.none.waiting": ["Niemand wartet.", "Nobody is waiting."],
  "home.more": ["{n} weitere zeigen", "Show {n} more"],
  "home.failed": ["Die Partien konnten nicht geladen werden.", "The matches could not be loaded."],
  "home.turn": ["Zug {n}", "Turn {n}"],
  "home.paused": ["angehalten", "paused"],
  "home.won": ["{a} gewinnt", "{a} wins"],
  "home.draw": ["unentschieden", "draw"],
  "home.open": ["Partie ansehen", "Watch the match"],
  "home.of.file": ["Datei", "file"],
  "home.of.run": ["Turnier", "run"],
  "new.title": ["Neue Partie", "New match"],
  "new.game": ["Spiel", "Game"],
  "new.season": ["Saison und Regeln", "Season and rules"],
  "new.clock": ["Bedenkzeit", "Time limit"],
  "new.clock.off": ["aus", "off"],
  "new.seed": ["Startzahl", "Seed"],
  "new.seed.hint": ["ausgelost", "by lot"],
  "new.seed.help": [
    "Gleiche Zahl, gleicher Anfang: Startstein oder Spielfeld",
    "Equal numbers begin alike: first piece or board",
  ],
  "new.seed.bad": ["Die Startzahl ist eine ganze Zahl ab 0.", "The seed is a whole number from 0."],
  "new.start": ["Partie starten", "Start match"],
  "new.starting": ["Wird gestartet …", "Starting …"],
  "drop.title": ["Partie öffnen", "Open a match"],
  "drop.text": [
    "Replay hierher ziehen oder auswählen, auch die der offiziellen Server aller Saisons.",
    "Drop a replay here or choose one, also those of the official servers of all seasons.",
  ],
  "drop.choose": ["Datei wählen", "Choose file"],
});
