// Parts of grammars from which texts are drawn: functions that take a Random and return a text.

/** One of the texts. */
export const one =
  (...texts) =>
  (r) =>
    r.pick(texts);

/** A text of one of the grammars. */
export const either =
  (...grammars) =>
  (r) =>
    r.pick(grammars)(r);

/** Returns the text, or, in one of some cases, with one of the pieces in it or in the place of a character. */
export function spoilt(r, text, pieces, kept = 0.85) {
  if (r.chance(kept)) return text;
  const at = r.int(text.length + 1);
  return text.slice(0, at) + r.pick(pieces) + text.slice(at + r.int(2));
}
