// The board as a component: draw any game from its geometry, and report what a person plays.

import { useLayoutEffect, useReducer, useRef } from "preact/hooks";
import { html } from "../html.js";
import { tr } from "../texts.js";
import { BoardBar } from "./bar.js";
import { BoardControl } from "./control.js";
import { ratioOf } from "./layout.js";
import { HeatLine } from "./heat.js";
import { Legend } from "./overlay.js";
import { StillBoard } from "./still.js";

/** @import { BoardProps } from "./types" */

let boards = 0;

/**
 * Show a board. The properties are documented in `types.d.ts`.
 * @param {BoardProps} props
 */
export function Board(props) {
  return props.mode === "still"
    ? html`<${StillBoard} ...${props} />`
    : html`<${LiveBoard} key=${`${props.geometry.game} ${props.geometry.size} ${props.mode}`} ...${props} />`;
}

/** @param {BoardProps} props */
function LiveBoard(props) {
  const { geometry, label, mode = "play" } = props;
  const face = /** @type {{current: HTMLDivElement | null}} */ (useRef(null));
  const svg = /** @type {{current: SVGSVGElement | null}} */ (useRef(null));
  const control = /** @type {{current: BoardControl | null}} */ (useRef(null));
  const id = useRef("");
  if (!id.current) id.current = `board-${(boards += 1)}`;
  const [, refresh] = useReducer((/** @type {number} */ count) => count + 1, 0);

  useLayoutEffect(() => {
    const element = face.current;
    if (element === null || svg.current === null) return undefined;
    const board = new BoardControl(element, svg.current, props, () => refresh(0));
    control.current = board;
    board.resize(element.clientWidth, element.clientHeight);
    board.update(props, true);
    const observer = new ResizeObserver(() => {
      board.resize(element.clientWidth, element.clientHeight);
      refresh(0);
    });
    observer.observe(element);
    refresh(0);
    return () => {
      observer.disconnect();
      board.close();
    };
    // Another game or size is another component: see the key.
  }, []);
  useLayoutEffect(() => control.current?.update(props, false));

  const board = control.current;
  const plays = mode === "play";
  const text = board?.keyboard?.text ?? "";
  const cursor = useCursor(text);
  return html`<div class="board board-${geometry.pieces}" data-mode=${mode} style=${{ "--ratio": String(ratioOf(geometry)) }}>
    <div
      class="board-face"
      ref=${face}
      role=${plays ? "application" : "img"}
      aria-roledescription=${plays ? tr("board") : undefined}
      aria-label=${label}
      aria-activedescendant=${plays && text ? `${id.current}-${cursor}` : undefined}
      aria-describedby=${plays ? `${id.current}-keys` : undefined}
      tabindex=${plays ? 0 : undefined}
    >
      <svg ref=${svg} class="board-svg" aria-hidden="true" focusable="false"></svg>
      ${plays &&
      [0, 1].map(
        (number) =>
          html`<span class="board-text" id="${id.current}-${number}" role="img" aria-label=${text || tr("board")}
            hidden=${cursor !== number || !text}></span>`,
      )}
    </div>
    ${plays &&
    html`<p class="board-text" id="${id.current}-keys">
      ${tr("Arrows select, Enter plays, Escape cancels.")}
    </p>`}
    ${plays && board && html`<${BoardBar} board=${board} />`}
    ${props.features && (props.features.length > 0 || props.position.legal.includes("1")) && html`<${Legend} features=${props.features} />`}
    ${props.heat !== undefined && html`<${HeatLine} fact=${props.heat} names=${geometry.names} />`}
  </div>`;
}

/**
 * Return 0 and 1 in turn, whenever `text` changes: a screen reader only reads an active descendant
 * that differs from the one before.
 * @param {string} text
 */
function useCursor(text) {
  const state = useRef({ text, number: 0 });
  if (state.current.text !== text) state.current = { text, number: 1 - state.current.number };
  return state.current.number;
}
