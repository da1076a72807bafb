import { RE2JS } from "re2js";

/** A compiled pattern in Go's syntax (RE2), which takes time linear in the text whatever the pattern is. */
export interface Pattern {
  readonly source: string;
  /** Whether any part of a text matches. */
  matches(text: string): boolean;
  /** Why the pattern is none; definitions with such patterns are refused, but older ones may be stored. */
  readonly problem: string | undefined;
}

/**
 * Longer texts match no pattern. To match is linear, but takes half a microsecond for each character, and nothing else can
 * be done meanwhile.
 */
const maxMatchedLength = 300_000;

/** Compiles a pattern, never throws. */
export function compilePattern(source: string): Pattern {
  try {
    const compiled = RE2JS.compile(source);
    return {
      source,
      matches: (text) => text.length <= maxMatchedLength && compiled.matcher(text).find(),
      problem: undefined,
    };
  } catch (error) {
    return { source, matches: () => false, problem: error instanceof Error ? error.message : String(error) };
  }
}
