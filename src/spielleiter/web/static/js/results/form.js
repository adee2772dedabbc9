// What stands below the title of a run.
import { t } from "../i18n.js";

/**
 * Return the game and the kind of a run in one line.
 * @param {import("./data.js").RunSummary} run
 */
export const subtitle = (run) => `${t(run.game_title)} · ${t(run.title)}`;
