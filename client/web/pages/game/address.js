// Read and write what the address of a review says after its `#`: the join code and the ply.
//
// Addresses: /game/ID#12 (ply 12), /game/ID#CODE (the code of a private room), and
// /game/ID#code=CODE&ply=12.

import { decoded } from "../../models/addresses.js";

/** @typedef {{code: string, ply: number | null}} Place */

/**
 * @param {string} hash with or without `#`
 * @returns {Place}
 */
export function readPlace(hash) {
  const text = hash.replace(/^#/, "");
  if (/^\d{1,5}$/.test(text)) return { code: "", ply: Number(text) };
  if (!/(^|&)(code|ply)=/.test(text)) return { code: decoded(text), ply: null };
  const values = new URLSearchParams(text);
  const ply = values.get("ply") ?? "";
  return { code: values.get("code") ?? "", ply: /^\d{1,5}$/.test(ply) ? Number(ply) : null };
}

/**
 * Return what stands after the `#`; empty: nothing.
 *
 * @param {Place} place
 */
export function writePlace({ code, ply }) {
  if (!code) return ply === null ? "" : String(ply);
  const values = new URLSearchParams({ code });
  if (ply !== null) values.set("ply", String(ply));
  return values.toString();
}
