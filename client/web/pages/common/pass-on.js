// Pass on a game as files: a picture of the position, and the whole game as a moving picture.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { fileName } from "../../models/game-words.js";
import { withParams } from "../../net/api.js";
import { download, fetched } from "../../net/files.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";

/**
 * A finished game, and who may read it: `code` is that of a private room. `ply` is shown in the picture; null: the end.
 * @typedef {{id: string, players: readonly string[], finished_ms: number}} Game
 * @typedef {{app: import("../../app/app.js").App, game: Game, ply: number | null,
 *   access: {code: string, token: string | null}, url: string, title: string}} Props
 */

/**
 * Return the address of a file of a game.
 *
 * @param {Pick<Game, "id">} game
 * @param {number | null} ply
 * @param {string} ending
 * @param {string} code
 */
export function fileAddress(game, ply, ending, code) {
  const path = `/api/games/${encodeURIComponent(game.id)}`;
  if (ending === "json" || ending === "txt") {
    return withParams(path, { format: ending === "txt" ? "text" : "json", code });
  }
  const still = ending === "svg" || ending === "png";
  return withParams(`${path}/picture`, { format: ending, ply: still ? ply : null, code });
}

/** @param {Props} props */
export function FileButtons(props) {
  return html`
    <${FileButton} ...${props} label=${tr("Picture")} ending="png" />
    <${FileButton} ...${props} label=${tr("Replay")} ending="webp" />
  `;
}

/**
 * Pass on a file: to another app where the device can do that, else to the folder of downloads.
 *
 * @param {Props & {label: string, ending: string}} props
 */
function FileButton({ app, game, ply, access, url, title, label, ending }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const pass = async () => {
    if (busy) return;
    setBusy(true);
    setProblem("");
    try {
      const blob = await fetched(fileAddress(game, ply, ending, access.code), access.token);
      const name = fileName(game, ending);
      if (await passOn(new File([blob], name, { type: blob.type }), { title, text: url })) return;
      download(blob, name);
      app.say(tr("{title} is saved.", { title: label }));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return html`<${Button} icon="share" busy=${busy} onPress=${pass}>${label}<//>
    ${problem && html`<p class="error small" role="alert">${problem}</p>`}`;
}

/**
 * Open the device's dialog; return false where there is none for this file.
 * @param {File} file
 * @param {{title: string, text: string}} words
 */
async function passOn(file, words) {
  const shared = { ...words, files: [file] };
  if (!navigator.canShare?.(shared)) return false;
  try {
    await navigator.share(shared);
  } catch (error) {
    // The person closed the dialog. Any other error: the press is too long ago, or the browser forbids it.
    return /** @type {Error} */ (error).name === "AbortError";
  }
  return true;
}
