// Draw keys that nobody can guess.

/** Return a new idempotency key, or the key of a new player. */
export function newKey() {
  // `crypto.randomUUID` is missing on pages without https.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
