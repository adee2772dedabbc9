// Opening replay files that are dropped anywhere on a page, or chosen.
import { upload } from "./api.js";
import { addWords, number, t } from "./i18n.js";
import { toast } from "./toast.js";

const MOST_BYTES = 16 * 1024 * 1024;

addWords({
  "drop.reading": ["{name} wird gelesen …", "Reading {name} …"],
  "drop.failed": ["{name}: {why}", "{name}: {why}"],
  "drop.large": ["mit {n} MB zu groß für ein Replay", "too large for a replay, with {n} MB"],
});

/** Take files that are dropped on this page. While one is held over it, the body says so. */
export function takeFiles() {
  const { classList } = document.body;
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    if (file) void openFile(file);
  });
}

/** Send a file to the server and go to the match in it. @param {File} file */
export async function openFile(file) {
  const { name } = file;
  if (file.size > MOST_BYTES) {
    const why = t("drop.large", { n: number(file.size / 1e6) });
    toast(t("drop.failed", { name, why }), "bad");
    return;
  }
  toast(t("drop.reading", { name }));
  try {
    const { id } = await upload("/api/replays", file);
    location.href = `/match/${encodeURIComponent(id)}`;
  } catch (error) {
    toast(t("drop.failed", { name, why: /** @type {Error} */ (error).message }), "bad");
  }
}
