// Save a game in formats that few people need: as text, as JSON, or as pictures that the server draws.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { fileName } from "../../models/game-words.js";
import { download, fetched } from "../../net/files.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { fileAddress } from "../common/pass-on.js";

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {{code: string, token: string | null}} Access */
/** @typedef {{ending: string, title: string, hint: string}} Format */

/** @type {Format[]} */
const FILES = [
  { ending: "txt", title: tr("Record"), hint: tr("Plain text, for replay and analysis") },
  { ending: "json", title: "JSON", hint: tr("Everything, for programs") },
  { ending: "svg", title: "SVG", hint: tr("This position, sharp at every size") },
  { ending: "gif", title: "GIF", hint: tr("The whole game, animated") },
];

/** @param {{app: import("../../app/app.js").App, review: Review, access: Access}} props */
export function Exports({ app, review, access }) {
  const [working, setWorking] = useState("");
  const [problem, setProblem] = useState("");
  const save = async (/** @type {Format} */ { ending, title }) => {
    setWorking(ending);
    setProblem("");
    try {
      const blob = await fetched(fileAddress(review.game, review.ply, ending, access.code), access.token);
      download(blob, fileName(review.game, ending));
      app.say(tr("{title} is saved.", { title }));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setWorking("");
  };
  return html`<div class="stack tight">
    <div class="row" role="group" aria-labelledby="other-files">
      <span class="label" id="other-files">${tr("Other files")}</span>
      ${FILES.map(
        (format) => html`<${Button}
          key=${format.ending}
          small
          title=${format.hint}
          busy=${working === format.ending}
          onPress=${() => {
            if (!working) void save(format);
          }}
        >
          ${format.title}
        <//>`,
      )}
    </div>
    <p class="muted small" role="status">${working && waiting(working)}</p>
    ${problem && html`<p class="error small" role="alert">${problem}</p>`}
  </div>`;
}

/** @param {string} ending */
function waiting(ending) {
  return ending === "txt" || ending === "json"
    ? tr("Fetching the game ...")
    : tr("The server draws the picture. This can take some seconds ...");
}
