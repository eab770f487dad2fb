// The switches for messages about turns while no page is open, where the server has such messages.

import { useEffect, useState } from "preact/hooks";

import { pushIsOn, turnOffPush, turnOnPush } from "../app/push.js";
import { html } from "../html.js";
import { ApiError, getJson } from "../net/api.js";
import { tr } from "../texts.js";
import { Switch } from "../widgets/field.js";
import { useWork } from "../widgets/work.js";

/** @typedef {import("../types/api.js").NoticesAnswer} NoticesAnswer */

/** @param {{app: import("../app/app.js").App}} props */
export function Away({ app }) {
  app.me.value; // a new player has a token from the welcome on
  const { token } = app.identity;
  const [notices, setNotices] = useState(/** @type {NoticesAnswer | null} */ (null));
  const [pushed, setPushed] = useState(false);
  const { problem, run } = useWork();
  useEffect(() => {
    if (token === null) return;
    // Without an answer the settings show less.
    getJson("/api/account/notices", {}, { token }).then(setNotices, () => {});
    pushIsOn(window).then(setPushed, () => {});
  }, [token]);
  if (notices === null) return null;
  const push = (/** @type {boolean} */ on) =>
    run(async () => {
      const why = on ? await turnOnPush(app, window, notices.push_key ?? "") : await turnOffPush(app, window);
      setPushed(await pushIsOn(window));
      if (why) throw new ApiError(0, why);
    });
  const mail = (/** @type {boolean} */ on) =>
    run(async () => setNotices(await getJson("/api/account/notices/mail", {}, { token, body: { on } })));
  return html`
    ${notices.push_key !== null &&
    html`<${Switch}
      label=${tr("Notifications while this page is closed")}
      hint=${tr("In this browser, at your turn in games by days.")}
      checked=${pushed}
      onChange=${push}
    />`}
    ${notices.can_mail &&
    html`<${Switch}
      label=${tr("Mails at my turn")}
      hint=${tr("In games by days, when you have been away for ten minutes.")}
      checked=${notices.mails}
      onChange=${mail}
    />`}
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  `;
}
