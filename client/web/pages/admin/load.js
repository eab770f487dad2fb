// Load what the administration shows, as the player of this browser.

import { getJson, withParams } from "../../net/api.js";
import { useLoaded } from "../common/load.js";

/**
 * Load the server's answer below `/api/admin`, again every `everyMs`.
 * @param {import("../../app/app.js").App} app
 * @param {string} name
 * @param {Record<string, string | number>} params
 * @param {number} everyMs
 * @returns {import("../common/load.js").Loaded<any>}
 */
export function useAdmin(app, name, params, everyMs) {
  const path = `/api/admin/${name}`;
  return useLoaded(
    (signal) => getJson(path, params, { token: app.identity.token, signal }),
    withParams(path, params),
    everyMs,
  );
}
