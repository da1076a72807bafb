/** Describes the fault of a text that the YAML parser refuses. Quotes no part of the text, which may be a secret. */
export function yamlProblem(error: unknown): string {
  // The first line says what and where; the others quote the source.
  const [what = "unknown cause"] = error instanceof Error ? error.message.split(/:?\n/) : [];
  return `is not valid YAML: ${what}`;
}
