// Links to the account and to the administration, for the menu and the settings.

import { loginPath } from "../app/rights.js";
import { html } from "../html.js";
import { tr } from "../texts.js";

/**
 * Links to the player's account, or to the login, and for admins to the administration.
 * @param {{app: import("../app/app.js").App}} props
 */
export function AccountLinks({ app }) {
  const here = app.route.value.name;
  const link = (/** @type {string} */ path, /** @type {string} */ title, /** @type {string} */ name) =>
    html`<a href=${path} aria-current=${here === name ? "page" : undefined}>${title}</a>`;
  return html`${app.me.value && link("/me", tr("My games"), "me")}
  ${app.me.value ? link("/account", tr("Account"), "account") : link(loginPath(app), tr("Log in"), "account")}
  ${app.admin.value && link("/admin", tr("Administration"), "admin")}`;
}
