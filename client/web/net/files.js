// Fetch files of the server, and save files.

import { outer } from "../address.js";
import { tr } from "../texts.js";

/**
 * Return a file of the server. A private one is asked for with the token: at once if it is `mine`, else only when
 * it is not found without.
 * @param {string} path
 * @param {string | null | undefined} token
 * @param {boolean} [mine]
 * @returns {Promise<Blob>}
 */
export async function fetched(path, token, mine = false) {
  const address = outer(path);
  const known = { headers: { Authorization: `Bearer ${token}` } };
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(address, mine ? known : {});
    if (answer.status === 404 && token && !mine) answer = await fetch(address, known);
  } catch {
    throw new Error(tr("The server does not answer. Check your connection, then try again."));
  }
  if (answer.ok) return answer.blob();
  const body = await answer.json().catch(() => null);
  throw new Error(body?.error ?? tr("The server refused the file ({status}). Try again later.", { status: answer.status }));
}

/**
 * Save something as a file.
 *
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the file after the click; a minute is more than enough.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
