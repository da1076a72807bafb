const xmlEscapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Returns a text as the content of an element or attribute; characters that XML 1.0 has no place for are left out. */
export function xml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no place for these
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, "").replace(/[&<>"]/g, (sign) => xmlEscapes[sign] ?? sign);
}
