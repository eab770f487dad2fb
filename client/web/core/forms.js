// Check that a value has the form that the protocol describes, and fill in the defaults.

import { EVENTS, FORMS } from "../types/forms.js";

/**
 * The form of a value; see protocol/documentation/forms.py. `ref` names the fields of an object,
 * `values` is the form of all values of a map, `items` that of all items of a list, `each` those of
 * its single items, `any` has the forms of which one must fit, `event` means any event of a room.
 * @typedef {object} Form
 * @property {string} [type]
 * @property {string} [ref]
 * @property {boolean} [null]
 * @property {boolean} [event]
 * @property {unknown} [const]
 * @property {unknown[]} [enum]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {Form} [items]
 * @property {Form[]} [each]
 * @property {Form[]} [any]
 * @property {Form} [values]
 * @property {unknown} [default] the value of a field that is missing
 */

/** @typedef {Record<string, Form>} Fields */

/**
 * Check the fields of an object, and add missing ones that have a default. Return the path of the
 * first wrong field, or null when there is none. Other fields are ignored.
 * @param {unknown} value
 * @param {string} name the name of the form
 * @param {string} path where the object is, for the answer
 * @returns {string | null}
 */
export function wrongField(value, name, path) {
  if (!isObject(value)) return path;
  for (const [field, form] of Object.entries(FORMS[name])) {
    if (!Object.hasOwn(value, field)) {
      if (!("default" in form)) return join(path, field);
      value[field] = structuredClone(form.default);
      continue;
    }
    const wrong = wrongPart(value[field], form, join(path, field));
    if (wrong !== null) return wrong;
  }
  return null;
}

/**
 * Return whether `value` is an object with fields.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Return the path of the first part of `value` that does not have the form, or null.
 * @param {unknown} value
 * @param {Form} form
 * @param {string} path
 * @returns {string | null}
 */
function wrongPart(value, form, path) {
  if (value === null && form.null) return null;
  if (form.ref) return wrongField(value, form.ref, path);
  if (form.event) return wrongEvent(value, path);
  if (form.any) return form.any.some((one) => wrongPart(value, one, path) === null) ? null : path;
  if ("const" in form) return value === form.const ? null : path;
  if (form.enum) return form.enum.includes(value) ? null : path;
  if (form.type === "array") return wrongItem(value, form, path);
  if (form.type === "object") return wrongValue(value, form.values ?? {}, path);
  return isPlain(value, form) ? null : path;
}

/**
 * @param {unknown} value
 * @param {Form} form
 */
function isPlain(value, form) {
  if (form.type !== "integer" && form.type !== "number") return typeof value === form.type;
  if (typeof value !== "number") return false;
  if (form.type === "integer" && !Number.isSafeInteger(value)) return false;
  return value >= (form.minimum ?? -Infinity) && value <= (form.maximum ?? Infinity);
}

/**
 * @param {unknown} value
 * @param {Form} form
 * @param {string} path
 */
function wrongItem(value, form, path) {
  if (!Array.isArray(value)) return path;
  const { minItems = 0, maxItems = Infinity, items = {}, each } = form;
  if (value.length < minItems || value.length > maxItems) return path;
  for (const [index, item] of value.entries()) {
    const wrong = wrongPart(item, each ? each[index] : items, `${path}.${index}`);
    if (wrong !== null) return wrong;
  }
  return null;
}

/**
 * @param {unknown} value
 * @param {Form} form
 * @param {string} path
 */
function wrongValue(value, form, path) {
  if (!isObject(value)) return path;
  for (const [key, part] of Object.entries(value)) {
    const wrong = wrongPart(part, form, join(path, key));
    if (wrong !== null) return wrong;
  }
  return null;
}

/**
 * @param {unknown} value
 * @param {string} path
 */
function wrongEvent(value, path) {
  const type = isObject(value) ? value.type : null;
  const name = typeof type === "string" ? EVENTS.get(type) : undefined;
  return name === undefined ? path : wrongField(value, name, path);
}

/**
 * @param {string} path
 * @param {string} field
 */
function join(path, field) {
  return path === "" ? field : `${path}.${field}`;
}
