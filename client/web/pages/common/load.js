// Load what a page shows, show that it loads or why it cannot, and load it again now and then.

import { useEffect, useState } from "preact/hooks";

import { connectionNotice } from "../../frame/connection.js";
import { html } from "../../html.js";
import { ApiError, getJson, pauseMs, withParams } from "../../net/api.js";
import { tr } from "../../texts.js";
import { Busy } from "../../widgets/busy.js";
import { Button } from "../../widgets/button.js";
import { Notice } from "../../widgets/notice.js";

/**
 * @template T
 * @typedef {object} Loaded
 * @property {T | null} value the newest answer; it stays while later requests fail
 * @property {ApiError | null} error why the last request failed
 * @property {() => void} again load now
 */

/**
 * Load something whenever `key` changes, and every `everyMs` (0: never again) while the page is
 * visible. With `key` null nothing is loaded. What does not exist is not asked for again until the
 * person returns to the page.
 *
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {string | null} key
 * @param {number} [everyMs]
 * @returns {Loaded<T>}
 */
export function useLoaded(load, key, everyMs = 0) {
  const [state, setState] = useState(
    /** @type {{key: string | null, value: T | null, error: ApiError | null}} */ ({
      key: null,
      value: null,
      error: null,
    }),
  );
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (key === null) return undefined;
    const stop = new AbortController();
    let timer = 0;
    let running = false;
    const run = async () => {
      clearTimeout(timer);
      if (running || stop.signal.aborted) return;
      running = true;
      const began = performance.now();
      let failed = false;
      let missing = false;
      try {
        const value = await load(stop.signal);
        if (!stop.signal.aborted) setState({ key, value, error: null });
      } catch (error) {
        if (stop.signal.aborted) return;
        const known = error instanceof ApiError ? error : new ApiError(0, String(error));
        failed = true;
        missing = known.status === 404;
        setState((old) => ({ key, value: old.key === key ? old.value : null, error: known }));
      }
      running = false;
      if (everyMs && !missing && !stop.signal.aborted) {
        timer = setTimeout(shown, pauseMs(everyMs, performance.now() - began, failed));
      }
    };
    const shown = () => {
      if (document.visibilityState === "visible") void run();
    };
    void run();
    if (everyMs) document.addEventListener("visibilitychange", shown);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", shown);
    };
  }, [key, everyMs, attempt]);
  const fresh = state.key === key;
  return {
    value: fresh ? state.value : null,
    error: fresh ? state.error : null,
    again: () => setAttempt((count) => count + 1),
  };
}

/**
 * Load the server's answer at an address, as `useLoaded` does; another address is another answer.
 *
 * @param {string} path
 * @param {Record<string, any>} [params]
 * @param {number} [everyMs]
 * @returns {Loaded<any>}
 */
export function useAnswer(path, params = {}, everyMs = 0) {
  return useLoaded((signal) => getJson(path, params, { signal }), withParams(path, params), everyMs);
}

/**
 * Load how a board looks, from the games that the page knows already; with `game` null nothing is loaded.
 *
 * @param {import("../../app/app.js").App} app
 * @param {string | null} game
 * @param {Record<string, number>} [params]
 */
export function useGeometry(app, game, params = {}) {
  return useLoaded(() => app.geometry(game ?? "", params), game === null ? null : JSON.stringify([game, params]));
}

/**
 * Show the children with what was loaded; until then that it loads, or why it cannot.
 *
 * @template T
 * @param {{app: import("../../app/app.js").App, loaded: Loaded<T>, what: string,
 *   children: (value: T) => import("preact").ComponentChildren}} props
 */
export function Shown({ app, loaded, what, children }) {
  const { value, error, again } = loaded;
  app.topics.of("link").value;
  if (value !== null) {
    // The strip says already that the connection is lost.
    const said = error?.status === 0 && connectionNotice(app, app.now()) !== null;
    return html`${error !== null && !said && html`<${Stale} error=${error} again=${again} />`}${children(value)}`;
  }
  if (error === null) return html`<${Busy}>${tr("Loading {what} ...", { what })}<//>`;
  return html`<${Notice}
    kind="bad"
    title=${tr("The page could not load {what}.", { what })}
    actions=${html`<${Button} onPress=${again}>${tr("Try again")}<//>`}
  >
    ${error.sentence}
  <//>`;
}

/** @param {{error: ApiError, again: () => void}} props */
function Stale({ error, again }) {
  return html`<${Notice} actions=${html`<${Button} small onPress=${again}>${tr("Try again")}<//>`}>
    ${tr("This may be out of date: {sentence}", { sentence: error.sentence })}
  <//>`;
}
