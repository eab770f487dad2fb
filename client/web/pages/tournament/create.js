// The dialog that creates a tournament.

import { useEffect, useState } from "preact/hooks";

import { sentenceOf } from "../../app/app.js";
import { html } from "../../html.js";
import { DAYS, daysOptions } from "../../models/lobby/time.js";
import { timeText } from "../../models/time.js";
import { CLOCKS, CUSTOM, hasField, newFields, readFields, tieBreakChoices } from "../../models/tournament-form.js";
import { FORMATS } from "../../models/tournament-words.js";
import { told, tr } from "../../texts.js";
import { Busy } from "../../widgets/busy.js";
import { Select } from "../../widgets/choice.js";
import { Dialog } from "../../widgets/dialog.js";
import { Field, MOST_LABEL, MOST_NAME, Switch } from "../../widgets/field.js";

/** @typedef {import("../../models/tournament-form.js").TournamentFields} TournamentFields */
/** @typedef {import("../../types/api.js").CatalogueGame} CatalogueGame */

/** @param {{app: import("../../app/app.js").App, onClose: () => void}} props */
export function CreateDialog({ app, onClose }) {
  const [games, setGames] = useState(/** @type {CatalogueGame[] | null} */ (null));
  const [fields, setFields] = useState(/** @type {TournamentFields | null} */ (null));
  const [tried, setTried] = useState(false);
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState("");
  // One key for all tries, so that a repeated request creates one tournament.
  const [key] = useState(() => app.key());
  useEffect(() => {
    app.catalogue().then(
      (found) => {
        setGames(found.games);
        setFields(newFields(found.games));
      },
      (error) => setProblem(sentenceOf(error)),
    );
  }, []);
  const read = fields === null || games === null ? null : readFields(fields, games);
  const problems = tried ? (read?.problems ?? {}) : {};
  const create = async () => {
    setTried(true);
    if (read === null || working) return;
    if (read.terms === null) {
      // The sentences appear with the next frame; the first of them is where to go on.
      requestAnimationFrame(() => {
        const wrong = document.querySelector('dialog [aria-invalid="true"]');
        if (wrong instanceof HTMLElement) wrong.focus();
      });
      return;
    }
    setWorking(true);
    setProblem("");
    try {
      const state = await app.request({ type: "create_tournament", key, terms: read.terms });
      onClose();
      app.navigate(`/tournament/${state.tournament}`);
      if (state.note) app.notify(told(state.note, state.phrase));
    } catch (error) {
      setProblem(sentenceOf(error));
      setWorking(false);
    }
  };
  return html`<${Dialog}
    problem=${problem}
    title=${tr("Create a tournament")}
    wide
    onClose=${onClose}
    onSubmit=${create}
    action=${tr("Create")}
    busy=${working}
  >
    ${fields === null || games === null
      ? !problem && html`<${Busy} />`
      : html`<${Form}
          games=${games}
          fields=${fields}
          problems=${problems}
          change=${(/** @type {Partial<TournamentFields>} */ changed) => setFields({ ...fields, ...changed })}
        />`}
  <//>`;
}

/**
 * @param {{games: CatalogueGame[], fields: TournamentFields, problems: Record<string, string>,
 *   change: (changed: Partial<TournamentFields>) => void}} props
 */
function Form({ games, fields, problems, change }) {
  const game = games.find((each) => each.key === fields.game);
  const { format } = fields;
  const text = (
    /** @type {"name" | "minutes" | "bots" | "fill" | "clock" | "pairs" | "rounds" | "roundMinutes" | "starts" | "hero" | "invited" | "patience" | "atOnce" | "seed"} */ name,
    /** @type {string} */ label,
    /** @type {Record<string, unknown>} */ more = {},
  ) =>
    html`<${Field}
      label=${label}
      name=${name}
      value=${fields[name]}
      problem=${problems[name] ?? ""}
      onInput=${(/** @type {string} */ value) => change({ [name]: value })}
      ...${more}
    />`;
  const breaks = tieBreakChoices(format);
  const whole = { inputmode: "numeric", narrow: true };
  return html`<div class="stack">
    ${text("name", tr("Name"), { autofocus: true, maxlength: MOST_LABEL, hint: tr("What people see, such as Spring cup.") })}
    <${Select}
      label=${tr("Format")}
      name="format"
      value=${format}
      options=${FORMATS.map(({ key, title, about }) => ({ value: key, title: `${title}: ${about}` }))}
      onChange=${(/** @type {TournamentFields["format"]} */ value) =>
        change({ format: value, ...(fields.time === DAYS && !hasField(value, "days") && { time: CLOCKS[1] }) })}
    />
    <div class="field-row">
      <${Select}
        label=${tr("Game")}
        name="game"
        value=${fields.game}
        options=${games.map((each) => ({ value: each.key, title: tr(each.title) }))}
        onChange=${(/** @type {string} */ value) => change({ game: value })}
      />
      ${game?.parameters.map(
        (parameter) => html`<${Field}
          key=${`${game.key} ${parameter.name}`}
          label=${tr(parameter.label)}
          narrow
          inputmode="numeric"
          value=${fields.sizes[game.key]?.[parameter.name] ?? String(parameter.default)}
          problem=${problems[`size_${parameter.name}`] ?? ""}
          onInput=${(/** @type {string} */ value) =>
            change({
              sizes: {
                ...fields.sizes,
                [game.key]: { ...fields.sizes[game.key], [parameter.name]: value },
              },
            })}
        />`,
      )}
    </div>
    <div class="field-row">
      <${Select}
        label=${tr("Time")}
        name="time"
        value=${fields.time}
        options=${[
          ...CLOCKS.map((clock) => ({ value: clock, title: timeText(clock) })),
          ...(hasField(format, "days") ? [{ value: DAYS, title: tr("Days a move") }] : []),
          { value: CUSTOM, title: tr("Other ...") },
        ]}
        onChange=${(/** @type {string} */ value) => change({ time: value })}
      />
      ${fields.time === DAYS &&
      html`<${Select}
        label=${tr("Days a move")}
        name="days"
        value=${fields.days}
        options=${daysOptions()}
        onChange=${(/** @type {string} */ days) => change({ days })}
      />`}
      ${fields.time === CUSTOM &&
      text("clock", tr("Time in seconds"), { hint: tr("60+1: a minute, and a second more for each move.") })}
    </div>
    <div class="field-row">
      ${hasField(format, "minutes") && text("minutes", tr("Minutes"), whole)}
      ${hasField(format, "pairs") &&
      text("pairs", tr("Game pairs when two meet"), { ...whole, hint: tr("Two games each, with the seats swapped.") })}
      ${hasField(format, "rounds") &&
      text("rounds", format === "swiss" ? tr("Rounds") : tr("Game pairs in all"), {
        ...whole,
        hint: format === "ladder" ? `${tr("Two games each, with the seats swapped.")} ${tr("Empty: until you end it.")}` : "",
      })}
      ${hasField(format, "roundMinutes") &&
      text("roundMinutes", tr("Minutes for each round"), {
        ...whole,
        hint: tr("The next round begins then at the earliest. Empty: at once."),
      })}
      ${hasField(format, "hero") && text("hero", tr("Who plays all others"), { maxlength: MOST_NAME, hint: tr("Empty: who joins first.") })}
    </div>
    ${text("starts", tr("Start"), { type: "datetime-local", narrow: true, hint: tr("Empty: when you start it.") })}
    <${Switch} label=${tr("People may join")} name="people" checked=${fields.people} hint=${tr("Otherwise only bots may.")} onChange=${(/** @type {boolean} */ people) => change({ people })} />
    <${Switch} label=${tr("Rated")} name="rated" checked=${fields.rated} hint=${tr("The games count for ratings.")} onChange=${(/** @type {boolean} */ rated) => change({ rated })} />
    ${hasField(format, "late") &&
    html`<${Switch} label=${tr("Players may join after the start")} name="late" checked=${fields.late} onChange=${(/** @type {boolean} */ late) => change({ late })} />`}
    <details class="more-fields" open=${["bots", "fill", "invited", "patience", "atOnce", "seed"].some((name) => problems[name])}>
      <summary>${tr("More")}</summary>
      <${Switch} label=${tr("Quick phrases")} name="phrases" checked=${fields.phrases} hint=${tr("Opponents may greet and thank each other.")} onChange=${(/** @type {boolean} */ phrases) => change({ phrases })} />
      ${breaks.length > 0 &&
      html`<${Select}
        label=${tr("Between equal points")}
        name="tieBreaks"
        value=${fields.tieBreaks}
        options=${breaks}
        onChange=${(/** @type {string} */ value) => change({ tieBreaks: value })}
      />`}
      <div class="field-row">
        ${text("bots", tr("Bots that fill in"), { hint: tr("Names of this server's bots with commas between them, such as easy, hard. Empty: none.") })}
        ${fields.bots.trim() && text("fill", tr("Up to how many players"), whole)}
      </div>
      <div class="field-row">
        ${text("invited", tr("Invited players"), { hint: tr("Names with commas between them. Empty: everybody.") })}
        ${text("patience", tr("Failed games that exclude a player"), {
          ...whole,
          hint: tr("Games in a row lost by time, absence or a crash."),
        })}
        ${text("atOnce", tr("Games at the same time"), { ...whole, hint: tr("Empty: no limit.") })}
        ${text("seed", tr("Seed of the openings"), { ...whole, hint: tr("Empty: the server chooses one.") })}
      </div>
    </details>
  </div>`;
}
