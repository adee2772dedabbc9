// The words of this game, German and English.

/** @type {Record<string, [string, string]>} */
export const words = {
  BLUE: ["Blau", "Blue"],
  YELLOW: ["Gelb", "Yellow"],
  RED: ["Rot", "Red"],
  GREEN: ["Grün", "Green"],
  "blokus.placed": ["{color} legt {piece} auf {at}", "{color} places {piece} at {at}"],
  "blokus.skip": ["setzt aus", "skips"],
  "blokus.skipped": ["{color} setzt aus", "{color} skips"],
  "blokus.begin": [
    "Anfang. Erster Stein jeder Farbe: {piece}",
    "Start. First piece of every colour: {piece}",
  ],
  "blokus.left": ["{n} übrig", "{n} left"],
  "blokus.out": ["kann nicht mehr", "cannot move"],
  "blokus.all": ["alle gesetzt", "all placed"],
};
