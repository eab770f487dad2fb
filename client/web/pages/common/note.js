// What a player notes about a game, for nobody else.

import { useEffect, useId, useRef, useState } from "preact/hooks";

import { sentenceOf } from "../../app/app.js";
import { html } from "../../html.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";

/** How long a note may be; see `server/core/people/notes.py`. */
const MOST_LETTERS = 2000;

/**
 * A field that saves itself when the person leaves it. Give it the game as its key. It is shown at once when it
 * should be `open` or has words.
 * @param {{app: import("../../app/app.js").App, game: string, open?: boolean}} props
 */
export function GameNote({ app, game, open = false }) {
  const [shown, setShown] = useState(open);
  const id = useId();
  const [words, setWords] = useState("");
  const [state, setState] = useState({ text: "", wrong: false });
  /** What the server has, null while that is unknown, and what the field has. */
  const kept = useRef({ stored: /** @type {string | null} */ (null), words: "" });
  const ask = async (/** @type {object} */ body) => {
    /** @type {import("../../types/api.js").NoteAnswer} */
    const answer = await getJson("/api/account/note", {}, { token: app.identity.token, body: { game_id: game, ...body } });
    return answer.words;
  };
  const change = (/** @type {string} */ text) => setWords((kept.current.words = text));
  const load = async () => {
    try {
      const found = await ask({});
      if (kept.current.stored !== null) return; // the same question was answered before
      kept.current.stored = found;
      change(found);
      if (found) setShown(true);
      setState({ text: "", wrong: false });
    } catch (error) {
      setState({ text: sentenceOf(error), wrong: true });
    }
  };
  const save = async () => {
    const { words: now, stored } = kept.current;
    if (stored === null || now.trim() === stored) return;
    try {
      kept.current.stored = await ask({ words: now });
      setState({ text: tr("Saved."), wrong: false });
    } catch (error) {
      setState({ text: sentenceOf(error), wrong: true });
    }
  };
  const connected = app.connected.value;
  useEffect(() => void (kept.current.stored === null ? load() : save()), [connected]);
  useEffect(() => () => void save(), []);
  const { text, wrong } = state;
  const toggle = (/** @type {Event} */ event) => setShown(/** @type {HTMLDetailsElement} */ (event.currentTarget).open);
  return html`<details class="game-note field" open=${shown} onToggle=${toggle}>
    <summary>${tr("Your note")}</summary>
    <label class="label" for=${id}>${tr("Your note about this game, which only you see")}</label>
    <textarea id=${id} class="input" name="note" rows="2" maxlength=${MOST_LETTERS} value=${words}
      readonly=${kept.current.stored === null} aria-describedby=${`${id}-state`} onFocus=${() => kept.current.stored === null && load()}
      onInput=${(/** @type {Event} */ event) => (change(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value), text && setState({ text: "", wrong: false }))}
      onBlur=${save}></textarea>
    <p id=${`${id}-state`} class=${wrong ? "problem" : "hint"} role="status">${text}</p>
  </details>`;
}
