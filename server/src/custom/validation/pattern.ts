import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

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

/** Loaded with the first pattern: its tables of characters are a tenth of all code, and most servers meet no pattern. */
let engine: typeof RE2JS | undefined;

function loadEngine(): typeof RE2JS {
  const require = createRequire(import.meta.url);
  return (require("re2js") as { readonly RE2JS: typeof RE2JS }).RE2JS;
}

/** Compiles a pattern, never throws. */
export function compilePattern(source: string): Pattern {
  engine ??= loadEngine();
  try {
    const compiled = engine.compile(source);
    return {
      source,
      matches: (text) => text.length <= maxMatchedLength && compiled.matcher(text).find(),
      problem: undefined,
    };
  } catch (error) {
    return { source, matches: () => false, problem: error instanceof Error ? error.message : String(error) };
  }
}
