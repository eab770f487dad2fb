// The page of a room: the way in, and then the match for players and spectators.

import { useEffect, useMemo } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Skeleton } from "../widgets/skeleton.js";
import { CodeCard, NameCard, ProblemView } from "./room/entry-cards.js";
import { RoomView } from "./room/view.js";
import { codeInAddress, RoomVisit } from "./room/visit.js";

/** @typedef {import("../app/app.js").App} App */

/** @param {{app: App, params: Record<string, string>}} props */
export function RoomPage({ app, params }) {
  const id = params["id"] ?? "";
  return html`<${OneRoom} key=${id} app=${app} id=${id} />`;
}

/** @param {{app: App, id: string}} props */
function OneRoom({ app, id }) {
  const visit = useMemo(() => new RoomVisit(app, id, codeInAddress()), [app, id]);
  useEffect(() => visit.begin(), [visit]);
  const { hash } = app.route.value;
  useEffect(() => {
    // The person has opened the whole link in this tab.
    const code = codeInAddress();
    if (code && code !== visit.code && visit.state.peek().kind === "code") void visit.useCode(code);
  }, [hash]);
  const state = visit.state.value;
  switch (state.kind) {
    case "room":
      return html`<${RoomView} room=${state.room} />`;
    case "name":
      return html`<${NameCard} visit=${visit} />`;
    case "code":
      return html`<${CodeCard} visit=${visit} wrong=${state.wrong} />`;
    case "problem":
      return html`<${ProblemView} visit=${visit} code=${state.code} detail=${state.detail} />`;
    default:
      return html`<h1 class="visually-hidden">${tr("Room")}</h1>
        <${Skeleton} kind="room">${tr("Opening the room ...")}<//>`;
  }
}
