// The one layout of all that is studied: the board and its players, the words and the moves beside it, a curve under the
// moves, and the controls. On a phone the board stays above, and the controls below.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { ratioOf } from "../../board/layout.js";
import { html } from "../../html.js";
import { fillScreen, leaveFullScreen } from "../../app/full-screen.js";
import { typing } from "../../app/shortcuts.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Step } from "../../widgets/step.js";
import { shownKeys } from "./overlays.js";

/** @typedef {import("preact").ComponentChildren} Part */
/** @typedef {import("../../app/app.js").App} App */
/**
 * Keys and what they do. `keys` is their name in the list of shortcuts, `what` says what they do, `on` has a
 * function for each key.
 * @typedef {{keys: string, what: string, on: Record<string, () => void>}} Shortcut
 */
/**
 * What steps through moves: `at` of `total` are shown.
 * @typedef {{at: number, total: number, step: (by: number) => void, toEnd: (by: number) => void,
 *   playing: boolean, playOrStop: () => void, turn?: (by: number) => void}} Steps
 * @typedef {Steps & {play: () => void}} OwnSteps
 */

/** How long automatic play shows a move, in milliseconds. */
const MOVE_MS = 800;
/** @type {Shortcut} */
const FULL = {
  keys: "F",
  what: tr("Full screen"),
  on: { f: () => (document.fullscreenElement === null ? fillScreen() : leaveFullScreen()) },
};

/**
 * @param {{geometry: import("../../types/api.js").GameGeometry, head: Part, players?: Part, board: Part, words: Part,
 *   moves?: Part, plot?: Part, options?: Part, steps: Part, children?: Part, aside?: boolean}} props `aside`: the board
 *   shows what was not played; `options`: what else to show or to do; `children`: what is rarely needed, below
 */
export function Study({ geometry, head, players, board, words, moves, plot, options, steps, children, aside = false }) {
  // After a press with a pointer the arrow keys step; whoever comes with the Tab key chooses edges with them.
  const leave = () => {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && focused.matches(".board-face")) focused.blur();
  };
  // What scrolls must be within reach of the keyboard.
  const text = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const box = text.current;
    if (box === null) return undefined;
    const measure = () => (box.tabIndex = box.scrollHeight > box.clientHeight + 1 ? 0 : -1);
    const sizes = new ResizeObserver(measure);
    sizes.observe(box);
    const texts = new MutationObserver(measure);
    texts.observe(box, { childList: true, subtree: true, characterData: true });
    return () => [sizes, texts].forEach((each) => each.disconnect());
  }, []);
  return html`<div class=${moves ? "study" : "study short"} style=${{ "--ratio": String(ratioOf(geometry)) }}>
      <header class="study-head">${head}</header>
      <section class=${aside ? "study-board aside" : "study-board"} aria-label=${tr("Board")} onPointerUp=${leave}>
        ${players}
        <div class="study-box">${board}</div>
      </section>
      <section class="study-words" ref=${text} aria-label=${tr("Words")}>${words}</section>
      ${moves && html`<div class="study-moves">${moves}</div>`}
      <section class="study-steps" aria-label=${tr("Moves through the game")}>${steps}</section>
      ${options && html`<div class="study-options">${options}</div>`}
      ${plot && html`<div class="study-plot">${plot}</div>`}
    </div>
    ${children && html`<div class="study-more">${children}</div>`}`;
}

/**
 * The head of a study: where it belongs, and its title.
 * @param {{title: Part, about?: Part, back?: [path: string, title: string], children?: Part}} props
 */
export function StudyHead({ title, about, back, children }) {
  return html`<div class="grow">
      ${back && html`<a class="small" href=${back[0]} aria-label=${back[1]}><span>${back[1]}</span></a>`}
      <h1>${title}</h1>
      ${about && html`<p class="muted small page-about">${about}</p>`}
    </div>
    ${children}`;
}

/**
 * The buttons that step, and others beside them.
 * @param {{steps: Steps, children?: Part}} props
 */
export function StepBar({ steps, children }) {
  const { at, total, playing } = steps;
  const [start, end] = [at === 0, at === total];
  return html`<div class="step-buttons" role="group" aria-label=${tr("Step through the game")}>
      <${Step} name=${tr("To the start")} keys="Home" path="M18 5L9 12l9 7zM6 5v14" off=${start} press=${() => steps.toEnd(-1)} />
      <${Step} name=${tr("Back one move")} keys="Left" path="M16 5l-9 7 9 7z" off=${start} press=${() => steps.step(-1)} />
      <${Step}
        name=${playing ? tr("Pause") : tr("Play automatically")}
        keys="Space"
        path=${playing ? "M8 5v14M16 5v14" : "M8 5l11 7-11 7z"}
        off=${!total}
        press=${steps.playOrStop}
      />
      <${Step} name=${tr("Forward one move")} keys="Right" path="M8 5l9 7-9 7z" off=${end} press=${() => steps.step(1)} />
      <${Step} name=${tr("To the end")} keys="End" path="M6 5l9 7-9 7zM18 5v14" off=${end} press=${() => steps.toEnd(1)} />
    </div>
    ${children}`;
}

/**
 * Step through a line, by hand or automatically.
 *
 * @param {App} app
 * @param {number} at how many of its moves are shown
 * @param {number} total
 * @param {(at: number) => void} go
 * @returns {OwnSteps}
 */
export function useSteps(app, at, total, go) {
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return undefined;
    if (at === total) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => {
      go(at + 1);
      app.sounds.play("draw");
    }, MOVE_MS);
    return () => clearTimeout(timer);
  }, [playing, at, total]);
  const stopped = (/** @type {number} */ to) => {
    setPlaying(false);
    go(Math.min(Math.max(0, to), total));
  };
  return {
    at,
    total,
    playing,
    step: (by) => stopped(at + by),
    toEnd: (by) => stopped(by < 0 ? 0 : total),
    play: () => setPlaying(true),
    playOrStop: () => {
      if (!playing && at === total) go(0);
      setPlaying(!playing && total > 0);
    },
  };
}

/**
 * Step through a line that grows at its end: whoever stands there sees each new move at once.
 *
 * @param {App} app
 * @param {number} total how many moves there are
 * @param {unknown} key another one is another line
 */
export function useLine(app, total, key) {
  const [{ of, at }, set] = useState(/** @type {{of: unknown, at: number | null}} */ ({ of: key, at: null }));
  const here = of !== key || at === null ? total : Math.min(at, total);
  return useSteps(app, here, total, (to) => set({ of: key, at: to === total ? null : to }));
}

/**
 * Return the keys that step.
 * @param {Steps} steps
 * @returns {Shortcut[]}
 */
export function stepKeys({ step, toEnd, playOrStop, turn }) {
  const move = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), ",": () => step(-1), ".": () => step(1) };
  return [
    { keys: "Left/Right", what: tr("Back and forward one move"), on: move },
    ...(turn
      ? [{ keys: "Up/Down", what: tr("Back and forward one turn"), on: { ArrowUp: () => turn(-1), ArrowDown: () => turn(1) } }]
      : []),
    { keys: "Home/End", what: tr("Start and end"), on: { Home: () => toEnd(-1), End: () => toEnd(1) } },
    { keys: "Space", what: tr("Play or pause"), on: { " ": playOrStop } },
  ];
}

/**
 * Return the keys that turn on and off what the board shows in addition.
 * @param {App} app
 * @param {{features: boolean, policy: boolean}} offers
 * @returns {Shortcut[]}
 */
export function overlayKeys({ settings: { overlay, heat } }, offers) {
  return shownKeys(offers).map((each) => {
    const shown = each.keys === "C" ? overlay : heat;
    return { ...each, on: { [each.keys.toLowerCase()]: () => void (shown.value = !shown.value) } };
  });
}

/**
 * The buttons that do so.
 * @param {{app: App, features: boolean, policy: boolean}} props
 */
export function Overlays({ app: { settings }, features, policy }) {
  const button = (/** @type {string} */ title, /** @type {import("@preact/signals").Signal<boolean>} */ shown) =>
    html`<${Button} small pressed=${shown.value} onPress=${() => (shown.value = !shown.value)}>${title}<//>`;
  return html`${features && button(tr("Chains and loops"), settings.overlay)} ${policy && button(tr("Heat map"), settings.heat)}`;
}

/**
 * Follow keys while the component is shown, and list them.
 * @param {App} app
 * @param {Shortcut[]} own
 */
export function useStudyKeys(app, own) {
  const shortcuts = [...own, FULL];
  const now = useRef(shortcuts);
  now.current = shortcuts;
  const names = shortcuts.map(({ keys }) => keys).join();
  // Before the first paint, so that a key is not lost that is pressed as soon as the board shows.
  useLayoutEffect(() => {
    app.shortcuts.value = shortcuts.map(({ keys, what }) => ({ keys, what }));
  }, [names]);
  useLayoutEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      const run = now.current.find(({ on }) => on[event.key])?.on[event.key];
      if (!run || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      if (typing(event) || target?.closest("dialog")) return;
      // Speech input types single characters, so a person can turn these off.
      if (event.key.length === 1 && !app.settings.shortcuts.value) return;
      // The space bar presses the focused button, and opens what can be folded up.
      if (event.key === " " && target?.closest("button,a,summary,input,select")) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
