// The dialogs of the lobby: quick match, a new room, a code, and two people at this screen.

import { useState } from "preact/hooks";

import { playHotSeat } from "../../app/hot-seat.js";
import { html } from "../../html.js";
import { seatOf } from "../../models/lobby/forms.js";
import { invitationProblems, readInvitation } from "../../models/lobby/invitation.js";
import { nameProblem } from "../../models/lobby/names.js";
import { NO_CLOCK } from "../../models/lobby/time.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Dialog } from "../../widgets/dialog.js";
import { Field, Switch } from "../../widgets/field.js";
import { MatchForm, useMatchForm } from "../../widgets/match-form.js";
import { useWork } from "../../widgets/work.js";
import { createRoom, enterRoom, quickMatch } from "./actions.js";

/** @typedef {import("../../app/app.js").App} App */

/** @param {{app: App, onClose: () => void}} props */
export function QuickDialog({ app, onClose }) {
  const form = useMatchForm(app, "quick");
  const { busy, problem, run } = useWork();
  const take = () => {
    const settings = form.take();
    app.topics.grow("quick");
    return settings;
  };
  const submit = () => {
    const settings = take();
    if (settings === null) return;
    void run(async () => (await quickMatch(app, settings), onClose()));
  };
  const keep = () => take() !== null && onClose();
  return html`<${Dialog}
    title=${tr("What do you play?")}
    onClose=${onClose}
    onSubmit=${submit}
    problem=${problem}
    actions=${html`<${Button} onPress=${keep}>${tr("Save")}<//> <span class="grow"></span>`}
    action=${tr("Find an opponent")}
    busy=${busy}
  >
    <${MatchForm} form=${form} ratable />
  <//>`;
}

/**
 * Return the fields without a clock the first time: a friend who comes by a link needs a while to begin.
 * @param {App} app
 * @param {import("../../models/lobby/forms.js").Fields} fields
 */
function amongFriends(app, fields) {
  return app.storage.get("create") === undefined ? { ...fields, time: NO_CLOCK } : fields;
}

/** @param {{app: App, closed?: boolean, onClose: () => void}} props */
export function CreateDialog({ app, closed = false, onClose }) {
  const form = useMatchForm(app, "create", (fields) => ({ ...amongFriends(app, fields), private: closed }));
  const { busy, problem, run } = useWork();
  const { fields, setFields } = form;
  const submit = () => {
    const settings = form.take();
    if (settings === null) return;
    void run(async () => (await createRoom(app, settings, seatOf(fields), fields.private), onClose()));
  };
  return html`<${Dialog}
    title=${closed ? tr("Invite a friend") : tr("Create a room")}
    onClose=${onClose}
    onSubmit=${submit}
    problem=${problem}
    action=${closed ? tr("Get the link") : tr("Create the room")}
    busy=${busy}
  >
    <${MatchForm} form=${form} starts=${[tr("Me"), tr("Opponent"), tr("Chance")]} ratable />
    <${Switch}
      label=${tr("Private")}
      hint=${tr("Only people with the link can join or watch.")}
      checked=${fields.private}
      onChange=${(/** @type {boolean} */ on) => setFields({ ...fields, private: on })}
    />
  <//>`;
}

/** @param {{app: App, onClose: () => void}} props */
export function JoinDialog({ app, onClose }) {
  const [room, setRoom] = useState("");
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState(/** @type {{room?: string, code?: string}} */ ({}));
  const { busy, problem, run } = useWork();
  const go = (/** @type {boolean} */ watch) => {
    const invitation = readInvitation(room, code);
    const problems = invitationProblems(invitation);
    setWrong(problems);
    if (Object.keys(problems).length > 0) return;
    void run(async () => (await enterRoom(app, invitation.room, invitation.code, watch), onClose()));
  };
  return html`<${Dialog}
    title=${tr("Join by code")}
    onClose=${onClose}
    onSubmit=${() => go(false)}
    problem=${problem}
    actions=${html`
      <${Button} onPress=${() => go(true)}>${tr("Watch")}<//>
      <span class="grow"></span>
    `}
    action=${tr("Join")}
    busy=${busy}
  >
    <${Field}
      label=${tr("Room, or the whole link")}
      name="room"
      value=${room}
      problem=${wrong.room}
      autofocus
      onInput=${(/** @type {string} */ text) => (setRoom(text), setWrong({}))}
    />
    <${Field}
      label=${tr("Code, if the room is private")}
      name="code"
      value=${code}
      problem=${wrong.code}
      onInput=${(/** @type {string} */ text) => (setCode(text), setWrong({}))}
    />
  <//>`;
}

/** @param {{app: App, onClose: () => void}} props */
export function HotSeatDialog({ app, onClose }) {
  const form = useMatchForm(app, "create", (fields) => amongFriends(app, fields));
  const [guest, setGuest] = useState(() => String(app.storage.get("guest") ?? ""));
  const [wrong, setWrong] = useState("");
  const { busy, problem, run } = useWork();
  const me = app.me.value;
  const submit = () => {
    const name = guest.trim();
    let sentence = name ? nameProblem(name) : tr("Enter the name of the second player.");
    if (!sentence && name.toLowerCase() === me.toLowerCase()) {
      sentence = tr("{name} is your name. Choose another one for the second player.", { name });
    }
    setWrong(sentence);
    const settings = form.take();
    if (sentence || settings === null) return;
    app.storage.set("guest", name);
    void run(async () => (await playHotSeat(app, settings, seatOf(form.fields), name), onClose()));
  };
  return html`<${Dialog}
    title=${tr("Two at one screen")}
    onClose=${onClose}
    onSubmit=${submit}
    problem=${problem}
    action=${tr("Play")}
    busy=${busy}
  >
    <p class="muted">${tr("Two people play at this screen.")}</p>
    <${Field}
      label=${tr("Who plays against {name}?", { name: me })}
      name="guest"
      value=${guest}
      problem=${wrong}
      autofocus
      onInput=${(/** @type {string} */ text) => (setGuest(text), setWrong(""))}
    />
    <${MatchForm} form=${form} starts=${[me || tr("Me"), tr("Opponent"), tr("Chance")]} />
  <//>`;
}
