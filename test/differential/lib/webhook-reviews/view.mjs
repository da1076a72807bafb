// Answers and calls of webhooks without what two servers have for themselves.
import { comparable } from "../comparable.mjs";

/** Headers that are compared; the others are the transport's. */
const comparedHeaders = ["user-agent", "accept", "content-type", "authorization", "kubectl-command"];

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
      .replaceAll(/"nodePort":3\d{4}/g, '"nodePort":"PORT"')
      .replaceAll(/"token":"ey[^"]+"/g, '"token":"TOKEN"');
}

/**
 * Returns calls in their order, but those of validating webhooks, which are called at the same time, by their paths. A deletion that
 * v1.29 asks about once more, because its cache does not know the last state of the object yet, is one call.
 */
export function comparableCalls(calls, stable) {
  const isValidating = ({ path }) => /\/v\d/.test(path);
  const views = calls.map(({ method, path, headers, review }) => ({
    method,
    path,
    headers: Object.fromEntries(comparedHeaders.map((name) => [name, headers[name]])),
    review: comparable({ body: stable(JSON.stringify(review)) }),
  }));
  const once = views.filter((call, index) => !isRepeated(views, call, index));
  const validating = once.filter(isValidating).sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...once.filter((call) => !isValidating(call)), ...validating];
}

function isRepeated(calls, { path, review }, index) {
  if (review.request.operation !== "DELETE") return false;
  const text = JSON.stringify(review);
  return calls.findIndex((other) => other.path === path && JSON.stringify(other.review) === text) < index;
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
