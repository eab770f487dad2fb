// The moves of an analysis board: the main line by turns, and each branch below the turn that it leaves.

import { useRef } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { useShownMove } from "../../widgets/shown-move.js";

/** @typedef {import("../../models/analysis/tree.js").Tree} Tree */
/** @typedef {{number: number, seat: number | null | undefined, moves: {at: number, name: string}[]}} Turn */

/**
 * @param {{tree: Tree, names: readonly string[], marks: readonly string[],
 *   mover: (moves: readonly number[]) => number | null | undefined, go: (branch: number | null, at: number) => void}} props
 *   `mover`: the seat to move after moves; undefined: unknown
 */
export function TreeMoves({ tree, names, marks, mover, go }) {
  const box = useRef(/** @type {HTMLOListElement | null} */ (null));
  const { main, branches, branch, at } = tree;
  useShownMove(box, [branch, at, main.length, branches.length, mover(main) === undefined]);
  if (!main.length) return html`<p class="muted study-none">${tr("No move yet. Tap the board.")}</p>`;
  /** @type {Turn[]} */
  const turns = [];
  for (const [ply, action] of main.entries()) {
    const seat = mover(main.slice(0, ply));
    let turn = turns.at(-1);
    if (turn === undefined || turn.seat !== seat) turns.push((turn = { number: ply + 1, seat, moves: [] }));
    turn.moves.push({ at: ply + 1, name: names[action] });
  }
  const move = (/** @type {number | null} */ of, /** @type {number} */ ply, /** @type {string} */ name) => {
    const shown = branch === of && at === ply;
    return html`<button
      type="button"
      key=${ply}
      class="move"
      tabindex=${shown || (at === 0 && of === null && ply === 1) ? 0 : -1}
      aria-current=${shown ? "step" : undefined}
      onClick=${() => go(of, ply)}
    >${name}</button>`;
  };
  return html`<ol class="turns" role="list" ref=${box} aria-label=${tr("Moves by turn")}>
    ${turns.map(({ number, seat, moves }) => {
      const own = branches.flatMap((each, index) => (moves.some((one) => one.at === each.from + 1) ? [{ ...each, index }] : []));
      return html`<li key=${number} class=${seat == null ? "turn" : `turn seat${seat}`}>
        <span class="turn-number numbers muted small">${number}</span>
        ${seat != null && html`<span class="seat-mark small-mark" aria-hidden="true">${marks[seat]}</span>`}
        <span class="turn-moves">${moves.map((each) => move(null, each.at, each.name))}</span>
        ${own.map(
          ({ index, from, moves: tried }) => html`<span key=${index} class="branch" role="group" aria-label=${tr("Branch at move {number}", { number: from + 1 })}>
            ${tried.map((action, step) => move(index, from + step + 1, names[action]))}
          </span>`,
        )}
      </li>`;
    })}
  </ol>`;
}
