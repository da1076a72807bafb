import { isCreditCard, isIsbn10, isIsbn13 } from "./check-digits.js";
import { isEmail } from "./email.js";
import { isHostname } from "./hostname.js";
import { isCidr, isIpv4, isIpv6, isMac } from "./network-addresses.js";
import { isRequestUri } from "./request-uri.js";
import { isDate, isDateTime, isScalaDuration } from "./times.js";

/** Formats that are a pattern each, none of which looks at a character more than once. */
const patterns: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  uuid3: /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  uuid4: /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i,
  uuid5: /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i,
  hexcolor: /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
  rgbcolor:
    /^rgb\([\t\n\f\r ]*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*,[\t\n\f\r ]*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*,[\t\n\f\r ]*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*\)$/,
  bsonobjectid: /^[0-9a-fA-F]{24}$/,
  // Only as long as one with both separators.
  ssn: /^(?=.{11}$)\d{3}[- ]?\d{2}[- ]?\d{4}$/,
};

/** Formats that v1.29 checks, by name without hyphens. Any other is only documentation. */
const checks: Readonly<Record<string, (text: string) => boolean>> = {
  ...Object.fromEntries(
    Object.entries(patterns).map(([name, pattern]) => [name, (text: string) => pattern.test(text)]),
  ),
  byte: isBase64,
  uri: isRequestUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  cidr: isCidr,
  mac: isMac,
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  password: () => true,
  date: isDate,
  duration: isScalaDuration,
  datetime: isDateTime,
};

/** Reports whether a text is base64: at least one group of four characters, the last one possibly padded. */
function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Returns the check of a format as a definition names it; undefined when v1.29 does not know it. */
export function formatCheckOf(format: string): ((text: string) => boolean) | undefined {
  const name = format.replaceAll("-", "");
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
}
