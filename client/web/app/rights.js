// Find out what the player of this browser may do, and lead to the login.

import { effect } from "@preact/signals";

import { getJson } from "../net/api.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../types/api.js").AccountAnswer} AccountAnswer */

/**
 * Learn, once for each player with an account, whether the menu shows the administration. The server
 * checks each request anyway.
 * @param {App} app
 */
export function followRights(app) {
  effect(() => {
    app.admin.value = false;
    // Without an answer the menu shows less; the page of the account says why.
    if (app.me.value && app.identity.account) void readAccount(app).catch(() => {});
  });
}

/**
 * Return the server's answer about this player, and keep what the frame needs of it.
 * @param {App} app
 * @param {AbortSignal} [signal]
 * @returns {Promise<AccountAnswer>}
 */
export async function readAccount(app, signal) {
  const { token } = app.identity;
  /** @type {AccountAnswer} */
  const account = await getJson("/api/account", {}, { token, signal });
  if (token === app.identity.token) {
    if (account.session && !app.identity.account) app.identity.claim();
    app.admin.value = account.scopes.includes("admin");
  }
  return account;
}

/**
 * Return the address of the login, which leads back to the shown page. What stands behind # is never
 * sent to the server; it may be the code of a private room.
 * @param {App} app
 */
export function loginPath(app) {
  const { path, search, hash } = app.route.peek();
  return path === "/account" ? path : `/account#${path}${search}${hash}`;
}

/** @param {App} app */
export function toLogin(app) {
  app.navigate(loginPath(app));
}
