/**
 * The limit of all warnings in characters, as in v1.29: beyond it each warning is cut, and those that do not fit are
 * dropped.
 */
const maxTotalCharacters = 4096;
const maxCutCharacters = 256;

/**
 * Returns the values of the Warning response headers (RFC 7234, section 5.5), with code 299, as kubectl prints them.
 */
export function warningHeaders(messages: readonly string[]): string[] {
  const all = take(messages, Number.POSITIVE_INFINITY, maxTotalCharacters);
  const fit = all.length === messages.length && sizeOf(all) <= maxTotalCharacters;
  return (fit ? all : take(messages, maxCutCharacters, maxTotalCharacters)).map(headerOf);
}

/** Returns messages, each cut to `maxEach` characters, until `maxTotal` is reached. */
function take(messages: readonly string[], maxEach: number, maxTotal: number): string[] {
  const taken: string[] = [];
  let size = 0;
  for (const message of messages) {
    if (size >= maxTotal) {
      break;
    }
    const text = cut(message, maxEach);
    taken.push(text);
    size += text.length;
  }
  return taken;
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((size, text) => size + text.length, 0);
}

/** Cuts a text to `max` characters, never in the middle of a surrogate pair. */
function cut(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const isHighSurrogate = /[\uD800-\uDBFF]/.test(text[max - 1] ?? "");
  return text.slice(0, isHighSurrogate ? max - 1 : max);
}

/**
 * Returns the header value of a message. Node takes header values as bytes, one a character; their contents are UTF-8.
 */
function headerOf(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header must not hold
  const text = message.replaceAll(/[\u0000-\u001f\u007f]/g, " ").replaceAll(/["\\]/g, "\\$&");
  return `299 - "${Buffer.from(text).toString("latin1")}"`;
}
