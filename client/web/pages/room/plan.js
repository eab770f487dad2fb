// The dialog in which a player of a correspondence game plans answers to moves of the opponent.

import { useEffect, useReducer, useRef, useState } from "preact/hooks";

import { sentenceOf } from "../../app/app.js";
import { Board } from "../../board/board.js";
import { html } from "../../html.js";
import { MOST_LINES, PlanDraft } from "../../models/room/plan.js";
import { getJson } from "../../net/api.js";
import { plural, tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Dialog } from "../../widgets/dialog.js";

/** @typedef {import("./controller.js").RoomController} RoomController */
/** @typedef {import("../../types/api.js").Positions} Positions */

/** @param {{app: import("../../app/app.js").App, room: RoomController, onClose: () => void}} props */
export function PlanDialog({ app, room, onClose }) {
  const { mirror, geometry, seats } = room.model;
  const [, redraw] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const draft = useRef(/** @type {PlanDraft | null} */ (null));
  const { match, takebacks, settings } = mirror;
  const place = useRef({ moves: [...mirror.moves], match, takebacks }).current;
  const gone = useRef(false);
  const plan = draft.current;
  const line = plan === null ? [] : plan.line;
  useEffect(() => {
    app.request({ type: "get_plan", room: room.id }).then(
      ({ lines }) => {
        draft.current = new PlanDraft(seats.only ?? 0, lines);
        if (!gone.current) redraw(0);
      },
      (error) => gone.current || setProblem(sentenceOf(error)),
    );
    return () => {
      gone.current = true;
    };
  }, []);
  useEffect(() => {
    if (plan === null) return undefined;
    const stop = new AbortController();
    const { game, size } = geometry;
    const moves = [...place.moves, ...line];
    getJson("/api/positions", { game, size, opening: settings.opening, moves }, { signal: stop.signal }).then(
      (/** @type {Positions} */ { positions }) => {
        if (stop.signal.aborted) return;
        plan.take(positions, place.moves.length);
        setProblem("");
        const name = room.model.name(plan.toMove ?? 0);
        if (line.length) app.say([geometry.names[line[line.length - 1]], plan.toMove === null ? "" : tr("{name} is to move.", { name })].join(". "));
        redraw(0);
      },
      (error) => stop.signal.aborted || setProblem(sentenceOf(error)),
    );
    return () => stop.abort();
  }, [plan, line]);
  const act = (/** @type {(plan: PlanDraft) => void} */ change) => {
    if (plan === null) return;
    change(plan);
    redraw(0);
  };
  const add = () => act((each) => each.add() || setProblem(tr("A plan has at most {count} lines.", { count: MOST_LINES })));
  const save = async () => {
    if (plan === null || busy) return;
    if (plan.addable && !plan.add()) return add();
    setBusy(true);
    try {
      const { moves, ...where } = place;
      await app.request({ type: "set_plan", room: room.id, ...where, ply: moves.length, lines: plan.lines.map((each) => [...each]) });
      app.notify(plural("The plan has 1 line.", "The plan has {n} lines.", plan.lines.length), { kind: "good", key: "plan" });
      onClose();
    } catch (error) {
      setBusy(false);
      setProblem(sentenceOf(error));
    }
  };
  const words = (/** @type {readonly number[]} */ actions) => actions.map((action) => geometry.names[action] ?? action).join(" ");
  let asks = tr("Your plan is being fetched ...");
  if (plan?.position) {
    const { toMove } = plan;
    if (toMove === null) asks = tr("The game is over in this line.");
    else if (toMove === plan.seat) asks = tr("Choose your answer.");
    else asks = tr("Choose a move that {name} may make.", { name: room.model.name(toMove) });
  }
  const initials = room.text.initials;
  return html`<${Dialog} title=${tr("Conditional moves")} wide onClose=${onClose} onSubmit=${save} problem=${problem}
    action=${tr("Save")} busy=${busy} disabled=${plan === null || !(plan.changed || plan.addable)}>
    <p>${tr("When your opponent makes a move of a line, the server plays your answer at once. Only you see this.")}</p>
    <p class="plan-asks" aria-live="polite"><strong key=${asks}>${asks}</strong></p>
    ${plan?.positions.length ? html`<div class="plan-board"><${Board}
      geometry=${geometry}
      position=${shown(plan, settings.opening, place.moves)}
      seats=${[0, 1].map((seat) => ({ name: room.model.name(seat), initial: initials[seat] }))}
      mode="play"
      rim=${app.settings.rim.value}
      confirmTaps=${app.settings.confirmTaps.value}
      onPlay=${(/** @type {number} */ action) => act((each) => each.play(action))}
      label=${tr("Board of the line")}
      say=${(/** @type {string} */ text) => app.say(text)}
    /></div>` : null}
    <p class="plan-line">${tr("Line:")} <span class="numbers" translate=${false}>${words(line) || "–"}</span></p>
    <div class="row">
      <${Button} small disabled=${!line.length} onPress=${() => act((each) => each.back())}>${tr("Back one move")}<//>
      <${Button} small disabled=${!plan?.addable} onPress=${add}>${tr("Add the line")}<//>
    </div>
    ${plan !== null && plan.lines.length > 0 && html`<ol class="plan-lines" aria-label=${tr("Lines")}>
      ${plan.lines.map(
        (each, index) => html`<li key=${words(each)}>
          <button type="button" class="button quiet small" translate=${false} aria-label=${tr("Go on with {line}", { line: words(each) })}
            onClick=${() => act((draft) => draft.show(each))}>${words(each)}</button>
          <${Button} small onPress=${() => act((draft) => draft.remove(index))} aria-label=${tr("Delete {line}", { line: words(each) })}>${tr("Delete")}<//>
        </li>`,
      )}
    </ol>`}
  <//>`;
}

/**
 * The position at the end of the line; the last known one while the server is asked.
 * @param {PlanDraft} plan
 * @param {readonly number[]} opening
 * @param {readonly number[]} moves
 */
function shown(plan, opening, moves) {
  const { positions, line, movers } = plan;
  const at = Math.min(line.length, positions.length - 1);
  const now = positions[at];
  const played = [...opening, ...moves, ...line.slice(0, at)];
  return {
    cells: now.cells,
    before: positions[at - 1]?.cells,
    legal: plan.open ? now.legal : now.legal.replaceAll("1", "0"),
    winning: now.winning,
    played,
    drawers: [...opening.map(() => null), ...movers.slice(0, moves.length + at)],
    last: played.at(-1) ?? null,
    toMove: now.to_move,
  };
}
