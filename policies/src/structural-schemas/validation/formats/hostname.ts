import { compilePattern, type Pattern } from "../../../patterns/index.js";

const maxLength = 255;
const maxLabelLength = 63;

const symbolOrLetter = String.raw`\p{S}\p{L}`;
const alphanumeric = `a-zA-Z0-9${symbolOrLetter}`;
/**
 * The pattern of one label, or of labels with dots behind them and a top-level domain; only one end of each is
 * anchored.
 */
const hostnameSource =
  `^([${alphanumeric}](-?[${alphanumeric}]{0,62})?` +
  `|([${alphanumeric}]([-${alphanumeric}]{0,61}[${alphanumeric}])?\\.)+[a-zA-Z\\p{L}]{2,63})$`;
let hostname: Pattern | undefined;

/** Reports whether a text is a host name of one or more labels, with letters and symbols of any script. */
export function isHostname(text: string): boolean {
  hostname ??= compilePattern(hostnameSource);
  // Bytes count, and a text of megabytes is not looked at twice.
  return (
    text.length <= maxLength &&
    Buffer.byteLength(text) <= maxLength &&
    hostname.matches(text) &&
    text.split(".").every((label) => Buffer.byteLength(label) <= maxLabelLength)
  );
}
