// Make passkeys and sign with them, where the browser can: over https or on this computer, under a name.

import { tr } from "../texts.js";
import { ApiError } from "./api.js";

/** Return whether this browser has passkeys for the server. */
export function hasPasskeys() {
  return typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === "function" && !/^[\d.]+$|^\[/.test(location.hostname);
}

/**
 * Make a passkey, or sign with one, as the server's options say; return the answer for the server.
 * @param {"create" | "get"} how
 * @param {any} options
 * @returns {Promise<object>} rejects with ApiError
 */
export async function askPasskey(how, options) {
  try {
    const answer = await (how === "create"
      ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }));
    return /** @type {PublicKeyCredential} */ (answer).toJSON();
  } catch (error) {
    // The browser does not say whether the person gave up or has none.
    if (how === "get") throw new ApiError(0, tr("No passkey was used. Try again, or log in with your password."));
    const known = /** @type {DOMException} */ (error).name === "InvalidStateError";
    throw new ApiError(0, known ? tr("This device has a passkey for your account already.") : tr("No passkey was made. Try again."));
  }
}
