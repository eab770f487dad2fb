// A game file of the visitor at /records: its games, and at /records#NUMBER the review of one.
// The file stays in the browser.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";

import { offersOf } from "../app/catalogue.js";
import { html } from "../html.js";
import { RecordError, gameOf, matching, readRecords } from "../models/records.js";
import { paramsOfSize } from "../models/lobby/sizes.js";
import { Review } from "../models/review/review.js";
import { ApiError, getJson } from "../net/api.js";
import { dateText } from "../models/time.js";
import { parts, plural, tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { Field } from "../widgets/field.js";
import { List } from "../widgets/list.js";
import { Shown, useLoaded } from "./common/load.js";
import { PageHead, useTitle } from "./common/parts.js";
import { StudyHead } from "./common/study.js";
import { positionQuery } from "./game/query.js";
import { ReviewView } from "./game/view.js";

/** @typedef {import("../app/app.js").App} App */
/** @typedef {import("../models/records.js").FileRecord} FileRecord */
/** @typedef {{name: string, records: FileRecord[]}} RecordFile */

/** The file that is open, until the page is loaded anew. */
const opened = signal(/** @type {RecordFile | null} */ (null));

/** @param {{app: App}} props */
export function RecordsPage({ app }) {
  const file = opened.value;
  const record = file?.records[Number(app.route.value.hash.slice(1)) - 1];
  return record
    ? html`<${RecordReview} key=${record.number} app=${app} record=${record} file=${file} />`
    : html`<${Games} app=${app} file=${file} />`;
}

/** @param {{app: App, file: RecordFile | null}} props */
function Games({ app, file }) {
  useTitle(app, file?.name ?? tr("Game file"));
  useEffect(() => void app.catalogue().catch(() => {}), []); // for the titles of the games
  const [problem, setProblem] = useState("");
  const [over, setOver] = useState(false);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const open = async (/** @type {File | undefined} */ chosen) => {
    if (chosen === undefined) return;
    try {
      const records = readRecords(new Uint8Array(await chosen.arrayBuffer()));
      setProblem("");
      opened.value = { name: chosen.name, records };
      if (records.length === 1) app.navigate("/records#1");
    } catch (error) {
      const sentence = error instanceof RecordError ? error.message : tr("The browser cannot read it.");
      setProblem(`${tr("{name} was not opened.", { name: chosen.name })} ${sentence}`);
    }
  };
  return html`<div class="page">
    <${PageHead}
      title=${file?.name ?? tr("Open a game file")}
      about=${tr("Step through games that you have saved. The file stays on your device.")}
    />
    <div class="stack">
      <section
        class=${over ? "card stack drop over" : "card stack drop"}
        aria-label=${tr("File")}
        onDragOver=${(/** @type {DragEvent} */ event) => (event.preventDefault(), setOver(true))}
        onDragLeave=${() => setOver(false)}
        onDrop=${(/** @type {DragEvent} */ event) => {
          event.preventDefault();
          setOver(false);
          void open(event.dataTransfer?.files[0]);
        }}
      >
        <div class="row">
          <${Button} kind=${file ? undefined : "primary"} onPress=${() => input.current?.click()}>
            ${file ? tr("Choose another file") : tr("Choose a file")}
          <//>
          <span class="muted small"
            >${parts("or drop it here. A game saves its record under {heading}.", { heading: html`<em>${tr("Pass it on")}</em>` })}</span>
        </div>
        <input
          ref=${input}
          type="file"
          hidden
          accept=".txt,text/plain"
          aria-label=${tr("Game file")}
          onChange=${(/** @type {Event} */ event) => {
            const chosen = /** @type {HTMLInputElement} */ (event.currentTarget);
            void open(chosen.files?.[0]);
            chosen.value = ""; // so that the same file can be chosen again
          }}
        />
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      </section>
      ${file && html`<${Listed} app=${app} records=${file.records} />`}
    </div>
  </div>`;
}

/** @param {{app: App, records: FileRecord[]}} props */
function Listed({ app, records }) {
  const [words, setWords] = useState("");
  const rows = matching(records, words);
  const count = records.length === rows.length
    ? plural("1 game", "{n} games", rows.length)
    : tr("{count} of {total} games", { count: rows.length, total: records.length });
  return html`<section class="card stack" aria-label=${tr("Games of the file")}>
    <${Field} label=${tr("Find games by player, game, date or result")} type="search" value=${words} onInput=${setWords} />
    <p class="muted small" role="status">${count}</p>
    <${List}
      label=${tr("Games")}
      items=${rows}
      keyOf=${(/** @type {FileRecord} */ record) => String(record.number)}
      empty=${html`<p class="muted">${tr("No game has all of these words.")}</p>`}
      row=${(/** @type {FileRecord} */ record) => html`<${Line} app=${app} record=${record} />`}
    />
  </section>`;
}

/** @param {{app: App, record: FileRecord}} props */
function Line({ app, record }) {
  const get = (/** @type {string} */ name) => record.headers.get(name) ?? "";
  const date = Date.parse(get("Date"));
  const params = paramsOf(app, record);
  const title = params ? app.games.title({ game: get("Game"), params }) : `${get("Game")} ${get("Size")}`;
  const players = `${get("Seat0")} – ${get("Seat1")}`;
  return html`<span class="grow">
      <span>${players} <span class="numbers">${get("Result")}</span></span>
      <span class="small muted">${[title, Number.isNaN(date) ? "" : dateText(date)].filter(Boolean).join(" · ")}</span>
    </span>
    <${LinkButton} small href=${`/records#${record.number}`} aria-label=${tr("Review {players}", { players })}>${tr("Review")}<//>`;
}

/** @param {{app: App, record: FileRecord, file: RecordFile | null}} props */
function RecordReview({ app, record, file }) {
  const loaded = useLoaded((stop) => load(app, record, stop), String(record.number));
  const names = [record.headers.get("Seat0"), record.headers.get("Seat1")];
  useTitle(app, names.join(" - "));
  const back = ["/records", file?.records.length === 1 ? tr("Other file") : tr("All games")];
  return html`<div class="page study-page">
    ${loaded.error && html`<${StudyHead} title=${names.join(" – ")} back=${back} />`}
    <${Shown} app=${app} loaded=${loaded} what=${tr("the game")}>
      ${(/** @type {Review} */ review) =>
        html`<${ReviewView} app=${app} review=${review} access=${null} ply=${null} back=${back} />`}
    <//>
  </div>`;
}

/**
 * @param {App} app
 * @param {FileRecord} record
 */
function paramsOf(app, record) {
  const { headers } = record;
  return paramsOfSize(app.games.known.value?.games ?? [], headers.get("Game") ?? "", headers.get("Size") ?? "");
}

/**
 * @param {App} app
 * @param {FileRecord} record
 * @param {AbortSignal} stop
 * @returns {Promise<Review>}
 */
async function load(app, record, stop) {
  const { games } = await app.catalogue();
  const params = paramsOf(app, record);
  if (params === null) {
    throw new ApiError(0, tr("This server does not know {game}.", { game: `${record.headers.get("Game")} ${record.headers.get("Size")}` }));
  }
  const geometry = await app.geometry(record.headers.get("Game") ?? "", params);
  let game;
  try {
    game = gameOf(record, geometry, params);
  } catch (error) {
    if (error instanceof RecordError) throw new ApiError(0, error.message);
    throw error;
  }
  /** @type {import("../types/api.js").Positions} */
  const { positions } = await getJson("/api/positions", positionQuery(game, game.moves), { signal: stop });
  const last = positions[positions.length - 1];
  return new Review({ ...game, scores: last.scores }, geometry, positions, offersOf(games, game.game));
}
