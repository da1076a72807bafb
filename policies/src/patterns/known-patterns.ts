import { compilePattern, type Pattern } from "./compile-pattern.js";

/** Limits of the patterns that are kept; a compiled one takes up to some hundred kilobytes. */
const maxKnown = 200;
const maxKnownLength = 1000;

/** Patterns by their source. Expressions name the same few again and again. */
const known = new Map<string, Pattern>();

/** Returns a compiled pattern: the same one again for a source that has been compiled lately. Never throws. */
export function patternOf(source: string): Pattern {
  let pattern = known.get(source);
  if (pattern === undefined) {
    pattern = compilePattern(source);
    if (source.length <= maxKnownLength) {
      if (known.size >= maxKnown) {
        known.clear();
      }
      known.set(source, pattern);
    }
  }
  return pattern;
}
