/** What is wrong with a text that the YAML parser refuses, for the text of a problem. Never a piece of the text: it may be a secret. */
export function yamlProblem(error: unknown): string {
  // The first line says what and where; the others quote the source.
  const [what = "unknown cause"] = error instanceof Error ? error.message.split(/:?\n/) : [];
  return `is not valid YAML: ${what}`;
}
