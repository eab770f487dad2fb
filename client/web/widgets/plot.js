// Draw a curve with uPlot, which is loaded when the first curve is shown.
//
// Plot props: label (accessible name), data (uPlot's columns), options(colour) -> uPlot's options
//   without width and height, where colour("--name") reads a colour of the theme; height (px);
//   mark (x of a vertical line, or null); onPick(index): a press on the plot; children: what
//   screen readers get instead, such as a table.

import { useEffect, useRef, useState } from "preact/hooks";

import { address } from "../address.js";
import { html } from "../html.js";
import { tr } from "../texts.js";

/** @typedef {(name: string) => string} Colour */

/** @type {Promise<any> | null} */
let library = null;

/** Load uPlot, an old-style script that defines a global name. */
function load() {
  library ??= new Promise((done, failed) => {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = address("vendor/uplot.css");
    const script = document.createElement("script");
    script.src = address("vendor/uplot.js");
    script.onload = () => done(/** @type {any} */ (window)["uPlot"]);
    script.onerror = () => {
      library = null;
      failed(new Error("The curve could not be loaded."));
    };
    document.head.append(style, script);
  });
  return library;
}

/** @type {Colour} */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/**
 * @param {{label: string, data: unknown[][], options: (colour: Colour, uPlot: any) => any,
 *   height: number, mark?: number | null, onPick?: (index: number) => void,
 *   children?: import("preact").ComponentChildren}} props
 */
export function Plot({ label, data, options, height, mark = null, onPick, children }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const plot = useRef(/** @type {any} */ (null));
  const shown = useRef({ mark, onPick });
  shown.current = { mark, onPick };
  const [failed, setFailed] = useState(false);
  const theme = useThemeCount();
  useEffect(() => {
    let over = false;
    const element = box.current;
    if (element === null) return undefined;
    const fit = new ResizeObserver(() => {
      plot.current?.setSize({ width: element.clientWidth, height });
    });
    load().then(
      (uPlot) => {
        if (over) return;
        const made = { ...options(colour, uPlot), width: element.clientWidth, height };
        const drawMark = (/** @type {any} */ drawn) => {
          if (shown.current.mark !== null) drawVertical(drawn, shown.current.mark, colour("--text"), 2);
        };
        made.hooks = { ...made.hooks, draw: [...(made.hooks?.draw ?? []), drawMark] };
        plot.current = new uPlot(made, data, element);
        fit.observe(element);
        const over_ = plot.current.over;
        over_.addEventListener("click", () => {
          const index = plot.current?.cursor.idx;
          if (index !== null && index !== undefined) shown.current.onPick?.(index);
        });
      },
      () => setFailed(true),
    );
    return () => {
      over = true;
      fit.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [data, theme, height]);
  useEffect(() => plot.current?.redraw(false), [mark]);
  return html`<figure class="plot">
    <div
      class=${onPick ? "plot-box picks" : "plot-box"}
      style=${{ minHeight: `${failed ? 0 : height}px` }}
      ref=${box}
      role="img"
      aria-label=${label}></div>
    ${failed && html`<p class="muted small">${tr("The curve could not be loaded. The table below has its figures.")}</p>`}
    ${children}
  </figure>`;
}

/**
 * Draw a vertical line on a plot.
 * @param {any} plot
 * @param {number} at
 * @param {string} stroke
 * @param {number} width in px
 * @param {number[]} [dash] in px
 */
export function drawVertical(plot, at, stroke, width, dash = []) {
  const { ctx, bbox } = plot;
  const x = Math.round(plot.valToPos(at, "x", true));
  ctx.save();
  Object.assign(ctx, { strokeStyle: stroke, lineWidth: width * devicePixelRatio });
  ctx.setLineDash(dash.map((px) => px * devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

/**
 * Return the looks of an axis.
 * @param {Colour} colour
 */
export const axisOf = (colour) => ({
  stroke: colour("--muted"),
  grid: { stroke: colour("--line"), width: 1 },
  ticks: { stroke: colour("--line"), width: 1, size: 4 },
  font: "12px system-ui, sans-serif",
});

/** Return a number that changes with the colours of the page. */
function useThemeCount() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const more = () => setCount((old) => old + 1);
    const chosen = new MutationObserver(more);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme", "data-palette"] });
    return () => chosen.disconnect();
  }, []);
  return count;
}
