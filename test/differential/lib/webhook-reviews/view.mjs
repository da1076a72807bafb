// Answers and calls of webhooks without what two servers have for themselves.
import { comparable } from "../comparable.mjs";

/** Returns a function that gives a text names in place of the address and the authority of a webhook, and of what is generated. */
export function stableText({ url, caBundle }) {
  return (text) =>
    text
      .replaceAll(url, "HOOK")
      .replaceAll(url.replace("https://", ""), "HOOK")
      .replaceAll(caBundle, "CA")
      // Go's comparison of objects has one of two sorts of space, drawn at each start.
      .replaceAll("\u00a0", " ")
      .replaceAll(/\b[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\b/g, "UPPER-UID")
      .replaceAll(/127\.0\.0\.1:\d+/g, "ADDRESS")
      .replaceAll(/-gen-[bcdfghjklmnpqrstvwxz2456789]{5}/g, "-gen-SUFFIX")
      .replaceAll(/"token":"ey[^"]+"/g, '"token":"TOKEN"');
}

/** Returns calls in their order, but those of validating webhooks, which are called at the same time, by their paths. */
export function comparableCalls(calls, stable) {
  const isValidating = ({ path }) => /\/v\d/.test(path);
  const views = calls.map((call) => ({
    ...call,
    review: comparable({ body: stable(JSON.stringify(call.review)) }),
  }));
  const validating = views.filter(isValidating).sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...views.filter((call) => !isValidating(call)), ...validating];
}

/**
 * Returns annotations with the places of mutating webhooks counted from 0: `index` counts those of other cases as well.
 */
export function comparableAnnotations(annotations = {}) {
  const indexes = new Map();
  const found = Object.entries(annotations).map(([key, value]) => [key, value, /^(.*_index_)(\d+)$/.exec(key)]);
  const places = [...new Set(found.flatMap(([, , place]) => (place ? [Number(place[2])] : [])))].sort((a, b) => a - b);
  for (const [index, place] of places.entries()) indexes.set(String(place), index);
  return Object.fromEntries(
    found.map(([key, value, place]) => [place ? `${place[1]}${indexes.get(place[2])}` : key, value]).sort(),
  );
}
