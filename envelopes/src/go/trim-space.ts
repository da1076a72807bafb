/** Removes white space from both ends of a text, as Go does. */
export function trimSpace(text: string): string {
  return text.replace(/^\p{White_Space}+|(?<!\p{White_Space})\p{White_Space}+$/gu, "");
}
