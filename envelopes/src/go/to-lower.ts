/**
 * Returns a text in lower case, as Go's strings.ToLower writes it: character by character, by simple mappings of Unicode.
 * JavaScript knows what a sigma at the end of a word becomes, and keeps the dot of a capital I as a character of its own.
 */
export function toLower(text: string): string {
  return text.replaceAll("\u0130", "i").replaceAll("\u03a3", "\u03c3").toLowerCase();
}
