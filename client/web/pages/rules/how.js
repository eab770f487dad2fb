// How to play on this page: by mouse, touch and keyboard, and with a screen reader.

import { html } from "../../html.js";

/** @type {[string, string][]} */
const KEYS = [
  ["Arrow keys", "On the board: go from edge to edge, or from place to place."],
  ["Enter or Space", "Play there."],
  ["Escape", "Take back the choice of an edge that is not played yet."],
  [", and .", "Step back and forward through the moves of a game."],
  ["Page Up, Page Down", "Step by turns."],
  ["Home, End", "Go to the start, or back to the current position."],
  ["?", "List all shortcuts of the page that you see."],
];

/** @type {[string, string][]} */
const COMMANDS = [
  ["b5", "play this edge"],
  ["score", "the score"],
  ["clock", "the time that both players have left"],
  ["last", "the last move"],
  ["board", "the whole position"],
  ["legal", "what may be played"],
  ["help", "all commands"],
];

export function HowToPlay() {
  return html`<section class="card stack" id="how">
    <h2>How to play here</h2>
    <div class="how">
      <div class="stack tight">
        <h3>Mouse</h3>
        <p>Point at an edge: it lights up. Click to draw it. In other games click a square, a column, or the first of the objects to take.</p>
        <h3>Touch</h3>
        <p>
          Put a finger on the board: the nearest free edge lights up. Slide to correct it, lift to draw
          it, or slide off the board to cancel. On large boards zoom in, or turn on${" "}
          <em>Confirm taps</em> in the settings.
        </p>
        <h3>Screen reader</h3>
        <p>
          Moves, captures and results are announced. The field <em>Move or command</em> below a board${" "}
          takes these words:
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
        <h3>Keyboard</h3>
        <dl class="commands">
          ${KEYS.map(
            ([keys, text]) => html`<div key=${keys}>
              <dt><kbd>${keys}</kbd></dt>
              <dd>${text}</dd>
            </div>`,
          )}
        </dl>
        <h3>Names of edges</h3>
        <p>
          Every point of the board (dots, edges and boxes alike) has a letter for its column, from a
          on the left, and a number for its row, from 1 at the bottom.
        </p>
        <h3>When the connection breaks</h3>
        <p>
          The page connects again by itself, and the game goes on where it was. Your move is kept until
          the server has it.
        </p>
      </div>
    </div>
  </section>`;
}
