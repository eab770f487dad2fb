// The form for a match that several dialogs share: game, size, time and first move.
//
// MatchForm props: form (of useMatchForm), starts ([me, other, chance] titles of the first move; left
//   out: no such choice), ratable.
// useMatchForm(app, key, usual): {fields, setFields, problems, take()}; take() returns the settings and
//   keeps the fields in the browser under `key`, or returns null after showing what is wrong.

import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";
import { chosenGame, fieldsFrom, readSettings, sizeText, withSize } from "../models/lobby/forms.js";
import { CUSTOM, DAYS, daysOptions, timeOptions } from "../models/lobby/time.js";
import { tr } from "../texts.js";
import { Busy } from "./busy.js";
import { Choice, Select } from "./choice.js";
import { Field, Switch } from "./field.js";

/**
 * @import { App } from "../app/app.js"
 * @import { MatchSettings } from "../types/wire"
 * @import { Fields, Problems, Start } from "../models/lobby/forms.js"
 */

/**
 * @param {{form: ReturnType<typeof useMatchForm>, starts?: readonly [string, string, string],
 *   ratable?: boolean}} props
 */
export function MatchForm({ form, starts, ratable }) {
  const { catalogue, fields, problems, setFields } = form;
  if (catalogue === null) return html`<${Busy}>${tr("Loading the games ...")}<//>`;
  const game = chosenGame(fields, catalogue);
  const set = (/** @type {Partial<Fields>} */ change) => setFields({ ...fields, ...change });
  const field = (
    /** @type {"minutes" | "added" | "move"} */ name,
    /** @type {string} */ label,
  ) => html`<${Field}
    narrow
    label=${label}
    name=${name}
    inputmode="decimal"
    value=${fields[name]}
    problem=${problems[name]}
    onInput=${(/** @type {string} */ text) => set({ [name]: text })}
  />`;
  return html`<div class="stack match-form">
    <${Select}
      label=${tr("Game")}
      name="game"
      value=${fields.game}
      options=${catalogue.games.map(({ key, title }) => ({ value: key, title: tr(title) }))}
      onChange=${(/** @type {string} */ key) => set({ game: key })}
    />
    <div class="row fields" role="group" aria-label=${tr("Size")}>
      ${game?.parameters.map(
        (parameter) => html`<${Field}
          key=${`${game.key} ${parameter.name}`}
          narrow
          type="number"
          label=${tr(parameter.label)}
          name=${parameter.name}
          min=${parameter.low}
          max=${parameter.high}
          value=${sizeText(fields, parameter)}
          problem=${problems[`size_${parameter.name}`]}
          onInput=${(/** @type {string} */ text) => setFields(withSize(fields, parameter.name, text))}
        />`,
      )}
    </div>
    <${Select}
      label=${tr("Time")}
      name="time"
      value=${fields.time}
      options=${timeOptions()}
      onChange=${(/** @type {string} */ time) => set({ time })}
    />
    ${fields.time === DAYS &&
    html`<${Select}
      label=${tr("Days a move")}
      name="days"
      value=${fields.days}
      options=${daysOptions()}
      onChange=${(/** @type {string} */ days) => set({ days })}
    />`}
    ${fields.time === CUSTOM &&
    html`<div class="row fields" role="group" aria-label=${tr("Time")}>
      ${field("minutes", tr("Minutes each"))} ${field("added", tr("Seconds added"))} ${field("move", tr("Seconds a move"))}
    </div>`}
    ${starts &&
    html`<${Choice}
      label=${tr("First move")}
      value=${fields.start}
      options=${[
        { value: "me", title: starts[0] },
        { value: "other", title: starts[1] },
        { value: "chance", title: starts[2] },
      ]}
      onChange=${(/** @type {Start} */ start) => set({ start })}
    />`}
    ${ratable &&
    html`<${Switch}
      label=${tr("Rated")}
      hint=${tr("The result counts for the ratings of both players.")}
      checked=${fields.rated}
      onChange=${(/** @type {boolean} */ rated) => set({ rated, evaluation: false })}
    />`}
    ${ratable && form.evaluates &&
    html`<${Switch}
      label=${tr("Spectators see who is ahead")}
      hint=${tr("The server tells them what it thinks, two moves late. It does not tell the two of you.")}
      checked=${fields.evaluation}
      onChange=${(/** @type {boolean} */ evaluation) => set({ evaluation })}
    />`}
  </div>`;
}

/**
 * @param {App} app
 * @param {string} key - where the browser keeps the fields
 * @param {(fields: Fields) => Fields} [adapt] - changes the fields that the form begins with
 */
export function useMatchForm(app, key, adapt = (fields) => fields) {
  const catalogue = app.games.known.value;
  const [edited, setEdited] = useState(/** @type {Fields | null} */ (null));
  const [problems, setProblems] = useState(/** @type {Problems} */ ({}));
  useEffect(() => {
    app.catalogue().catch((error) => app.complain(error));
  }, []);
  const empty = { games: [] };
  const fields = edited ?? adapt(fieldsFrom(app.storage.get(key), catalogue ?? empty));
  return {
    catalogue,
    fields,
    problems,
    /** Whether the server can evaluate matches. */
    evaluates: app.session.welcome?.advice === true,
    /** @param {Fields} changed */
    setFields: (changed) => {
      setEdited(changed);
      setProblems({});
    },
    /** @returns {MatchSettings | null} */
    take: () => {
      if (catalogue === null) return null;
      const found = readSettings(fields, catalogue);
      setProblems("problems" in found ? found.problems : {});
      if (!("settings" in found)) return null;
      app.storage.set(key, fields);
      return found.settings;
    },
  };
}
