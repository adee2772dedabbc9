// Made by `make pages` from the rules, as the pictures in docs/rules are.

export const LIES = [
  [1, 4],
  [2, 4],
  [2, 3],
  [2, 5],
  [3, 3],
];

export const TOUCHES = [
  {"cells": [[4, 2], [4, 1], [5, 1]], "color": 0, "rule": null},
  {"cells": [[3, 4], [4, 4], [5, 4]], "color": 0, "rule": "TOUCHES_SAME_COLOR"},
  {"cells": [[5, 5], [6, 5], [6, 4]], "color": 0, "rule": "NO_SHARED_CORNER"},
  {"cells": [[3, 4], [4, 4], [4, 5]], "color": 1, "rule": null},
  {"cells": [[4, 2], [4, 3], [5, 3]], "color": 0, "rule": "TOUCHES_SAME_COLOR"},
  {"cells": [[2, 3], [2, 2], [2, 1]], "color": 1, "rule": "OBSTRUCTED"},
];

export const STARTS = {
  "NOT_IN_CORNER": {"board": [".................YYY", "...................Y", "...................Y", "....................", "....................", "....................", "....................", "....................", "....................", "....................", "....................", "....................", "....................", "....................", "....................", "....................", "....................", "B...................", "B...................", "BBB................."], "marked": [[0, 0], [19, 19]]},
  "NOT_ON_BORDER": {"board": ["........YYY.........", "..........Y.........", "..........Y.........", "....................", "B...................", "B...................", "BBB.................", "....................", "....................", "....................", "....................", "....................", "...................R", "...................R", ".................RRR", "....................", "....................", "...G................", "...G................", "...GGG.............."], "marked": [[0, 0], [0, 1], [0, 2], [0, 3], [0, 7], [0, 8], [0, 9], [0, 10], [0, 11], [0, 12], [0, 13], [0, 14], [0, 15], [0, 16], [0, 17], [0, 18], [0, 19], [1, 0], [1, 19], [2, 0], [2, 19], [3, 0], [4, 0], [5, 0], [6, 0], [6, 19], [7, 0], [7, 19], [8, 19], [9, 19], [10, 19], [11, 0], [11, 19], [12, 0], [12, 19], [13, 0], [13, 19], [14, 0], [14, 19], [15, 0], [15, 19], [16, 0], [16, 19], [17, 0], [17, 19], [18, 0], [18, 19], [19, 0], [19, 1], [19, 2], [19, 3], [19, 4], [19, 5], [19, 6], [19, 7], [19, 8], [19, 9], [19, 10], [19, 11], [19, 15], [19, 16], [19, 17], [19, 18], [19, 19]]},
};

export const SEASONS = {
  "blokus-2027": {"startRule": "NOT_ON_BORDER", "startPieces": ["PENTO_L", "PENTO_T", "PENTO_V", "PENTO_S", "PENTO_Z", "PENTO_I", "PENTO_P", "PENTO_W", "PENTO_U", "PENTO_R", "PENTO_X", "PENTO_Y"], "rounds": 24, "endsWhenFinished": false},
  "blokus-2027-documented": {"startRule": "NOT_ON_BORDER", "startPieces": ["PENTO_L", "PENTO_T", "PENTO_V", "PENTO_S", "PENTO_Z", "PENTO_I", "PENTO_P", "PENTO_W", "PENTO_U", "PENTO_R", "PENTO_X", "PENTO_Y"], "rounds": 25, "endsWhenFinished": true},
  "blokus-2021": {"startRule": "NOT_IN_CORNER", "startPieces": ["PENTO_L", "PENTO_T", "PENTO_V", "PENTO_S", "PENTO_Z", "PENTO_I", "PENTO_P", "PENTO_W", "PENTO_U", "PENTO_R", "PENTO_Y"], "rounds": 25, "endsWhenFinished": true},
  "blokus-2021-official": {"startRule": "NOT_IN_CORNER", "startPieces": ["PENTO_L", "PENTO_T", "PENTO_V", "PENTO_S", "PENTO_Z", "PENTO_I", "PENTO_P", "PENTO_W", "PENTO_U", "PENTO_R", "PENTO_Y"], "rounds": 25, "endsWhenFinished": false},
};

export const FINISHED = {
  "board": ["R.RRR.R.......YYY..Y", "RR.R.RR.YYYYY...Y.YY", ".RR..RR..BBB.YYY.YY.", "R...R.BBB.YYB..YYGGY", "RRR.RRBB.BY.YYY..GGY", "R..RRBRRRBY.YYGGG.YG", ".R..BBB.RBY.GGYG.YYG", ".RBB.B..RB.YYGYYY.YG", "RRBBR.BBBRR.YGG.Y.Y.", "R.RRRBBRR.RYY..GGY.Y", "BBRB.R.BRBR..YGGYYY.", "RRBB.B.BBBR.YYYGYGGY", ".RB.BBB.RR.GGGG.GYYY", "RR.B..BRRBRR.G.GGG.Y", "..RBBRRBBBRR....G.GG", "RRRBRB.B.GGG..GG..GG", "BB.BRBGGG.G.GGG....G", "B.B.RBG.B.G....G.GG.", ".BB.BBG.BG.G..G...GG", "BBGGGGBBBGGG..GGGG.G"],
  "left": [18, 28, 19, 16],
  "scores": [71, 61, 70, 73],
};
