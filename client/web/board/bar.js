// The bar under a board of small edges on a touch screen: magnify, and confirm a tap.

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Button } from "../widgets/button.js";
import { verbOf } from "./describe.js";

/** @import { BoardControl } from "./control.js" */

/**
 * Show the bar if fingers can be used here and the edges are small; its height never changes.
 * @param {{board: BoardControl}} props
 */
export function BoardBar({ board }) {
  const touch = globalThis.matchMedia?.("(any-pointer: coarse)").matches ?? false;
  if (!touch || !board.dense) return null;
  const { chosen, props, view } = board;
  const move = chosen === null ? "" : props.geometry.names[chosen];
  const verbs = {
    Draw: tr("Draw {move}", { move }),
    Take: tr("Take {move}", { move }),
    Play: tr("Play {move}", { move }),
  };
  return html`<div class="board-bar">
    <${Button} aria-label=${tr("Magnify the board less")} disabled=${view.zoom.times === 1}
      onPress=${() => board.magnify(-1)}>−<//>
    <${Button} aria-label=${tr("Magnify the board")} disabled=${board.largest}
      onPress=${() => board.magnify(1)}>+<//>
    <span class="board-bar-gap"></span>
    ${chosen !== null &&
    html`<${Button} onPress=${() => board.cancel()}>${tr("Cancel")}<//>
      <${Button} kind="primary" onPress=${() => board.play(chosen)}>
        ${verbs[verbOf(props.geometry)]}
      <//>`}
  </div>`;
}
