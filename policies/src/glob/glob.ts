/** A pattern in which `*` stands for any text, the empty one, too. */
export type Glob = (text: string) => boolean;

/**
 * Compiles a pattern. To match takes time in proportion to pattern and text together, whatever they are: parts between
 * stars are looked for from left to right, each as early as it can be, and never looked for again.
 */
export function compileGlob(pattern: string): Glob {
  const parts = pattern.split("*");
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) {
    return (text) => text === pattern;
  }
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) {
      return false;
    }
    const end = text.length - last.length;
    let at = first.length;
    for (const part of others) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) {
        return false;
      }
      at = found + part.length;
    }
    return true;
  };
}

/** Returns a glob that matches if one of the patterns does; without patterns it matches everything. */
export function compileGlobs(patterns: readonly string[] | undefined): Glob {
  if (patterns === undefined || patterns.length === 0) {
    return () => true;
  }
  const globs = patterns.map(compileGlob);
  return (text) => globs.some((glob) => glob(text));
}
