// Make and change SVG elements.

const SVG = "http://www.w3.org/2000/svg";

/** The length of a board unit in the SVG. Browsers draw letters badly if they are one unit high. */
export const UNIT = 100;

/**
 * Return a new SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {Element} [parent]
 * @returns {SVGElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, parent) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  parent?.append(element);
  return element;
}

/**
 * Set attributes of an element.
 * @param {Element} element
 * @param {Record<string, string | number>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/**
 * Return the path of a polygon with corners in board units.
 * @param {readonly (readonly [number, number])[]} corners
 */
export function polygon(corners) {
  return `M${corners.map(([x, y]) => `${round(x * UNIT)} ${round(y * UNIT)}`).join("L")}Z`;
}

/**
 * Return a number with at most three places after the point.
 * @param {number} value
 */
export function round(value) {
  return Math.round(value * 1000) / 1000;
}
