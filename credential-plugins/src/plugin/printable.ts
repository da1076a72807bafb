const maxLength = 300;

/** Text of a server as it may stand on a terminal: on one line, short, without the characters that control one. */
export function printable(text: string): string {
  const plain = text.replace(/[\s\p{C}]+/gu, " ").trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}...` : plain;
}
