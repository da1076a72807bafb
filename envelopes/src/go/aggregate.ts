/** Returns the text of several errors as Go's API machinery joins them: each once, in brackets if there are more. */
export function goAggregate(texts: readonly string[]): string {
  const unique = [...new Set(texts)];
  return unique.length === 1 ? (unique[0] as string) : `[${unique.join(", ")}]`;
}
