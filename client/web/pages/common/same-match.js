// Where an invitation leads that is over: to its game, and to an offer of the same match.
//
// Props: app, settings (null: unknown), room (where the match is, if it began).

import { html } from "../../html.js";
import { fieldsOf } from "../../models/lobby/forms.js";
import { roomPath } from "../../models/addresses.js";
import { tr } from "../../texts.js";
import { Button, LinkButton } from "../../widgets/button.js";

/**
 * @param {{app: import("../../app/app.js").App, room?: string | null,
 *   settings: import("../../types/wire").MatchSettings | null}} props
 */
export function SameMatch({ app, settings, room = null }) {
  const prepare = () => {
    if (settings) app.storage.set("quick", fieldsOf(settings));
    app.navigate("/#quick");
  };
  return html`<div class="row">
    ${room && html`<${LinkButton} kind="primary" href=${roomPath(room)}>${tr("Watch the game")}<//>`}
    ${settings
      ? html`<${Button} kind=${room ? undefined : "primary"} onPress=${prepare}>${tr("Look for the same match")}<//>`
      : html`<${LinkButton} href="/">${tr("To the lobby")}<//>`}
  </div>`;
}
