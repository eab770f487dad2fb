// How to play on this page: by mouse, touch and keyboard, and with a screen reader.

import { html } from "../../html.js";
import { parts, tr } from "../../texts.js";

/** @type {[string, string][]} */
const KEYS = [
  [tr("Arrow keys"), tr("On the board: go from edge to edge, or from place to place.")],
  [tr("Enter or Space"), tr("Play there.")],
  [tr("Escape"), tr("Take back the choice of an edge that is not played yet.")],
  [tr(", and ."), tr("Step back and forward through the moves of a game.")],
  [tr("Page Up, Page Down"), tr("Step by turns.")],
  [tr("Home, End"), tr("Go to the start, or back to the current position.")],
  ["?", tr("List all shortcuts of the page that you see.")],
];

/** @type {[string, string][]} */
const COMMANDS = [
  ["b5", tr("play this edge")],
  ["score", tr("the score")],
  ["clock", tr("the time that both players have left")],
  ["last", tr("the last move")],
  ["board", tr("the whole position")],
  ["legal", tr("what may be played")],
  ["help", tr("all commands")],
];

export function HowToPlay() {
  return html`<section class="card stack" id="how">
    <h2>${tr("How to play here")}</h2>
    <div class="how">
      <div class="stack tight">
        <h3>${tr("Mouse")}</h3>
        <p>${tr("Point at an edge: it lights up. Click to draw it. In other games click a square, a column, or the first of the objects to take.")}</p>
        <h3>${tr("Touch")}</h3>
        <p>
          ${parts("Put a finger on the board: the nearest free edge lights up. Slide to correct it, lift to draw it, or slide off the board to cancel. On large boards zoom in, or turn on {setting} in the settings.", { setting: html`<em>${tr("Confirm taps")}</em>` })}
        </p>
        <h3>${tr("Screen reader")}</h3>
        <p>
          ${parts("Moves, captures and results are announced. The field {field} below a board takes these words:", { field: html`<em>${tr("Move or command")}</em>` })}
        </p>
        <dl class="commands">
          ${COMMANDS.map(
            ([word, text]) => html`<div key=${word}>
              <dt><code>${word}</code></dt>
              <dd>${text}</dd>
            </div>`,
          )}
        </dl>
      </div>
      <div class="stack tight">
        <h3>${tr("Keyboard")}</h3>
        <dl class="commands">
          ${KEYS.map(
            ([keys, text]) => html`<div key=${keys}>
              <dt><kbd>${keys}</kbd></dt>
              <dd>${text}</dd>
            </div>`,
          )}
        </dl>
        <h3>${tr("Names of edges")}</h3>
        <p>
          ${tr("Every point of the board (dots, edges and boxes alike) has a letter for its column, from a on the left, and a number for its row, from 1 at the bottom.")}
        </p>
        <h3>${tr("When the connection breaks")}</h3>
        <p>
          ${tr("The page connects again by itself, and the game goes on where it was. Your move is kept until the server has it.")}
        </p>
      </div>
    </div>
  </section>`;
}
