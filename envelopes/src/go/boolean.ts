const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);

/** Parses the spellings of a boolean that Go's `strconv.ParseBool` accepts. Returns undefined for any other text. */
export function parseGoBoolean(text: string): boolean | undefined {
  return booleans.get(text);
}
