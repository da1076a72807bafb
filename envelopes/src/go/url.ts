import { GoUrlError } from "../errors.js";
import { goQuote } from "./quote.js";

/** A URL as parsed by Go's `url.Parse`, which accepts texts that the WHATWG parser corrects. */
export interface GoUrl {
  /** The scheme in lower case; empty when there is none. */
  readonly scheme: string;
  /** The host with the port. */
  readonly host: string;
  /** The user information, escaped as in a URL; undefined when there is none. */
  readonly user: string | undefined;
  /** The rest after the scheme, up to the query, where that does not begin with a slash: `a@b` of `mailto:a@b`. */
  readonly opaque: string;
  /** The path as it is written, with its escapes. */
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** Parses a URL; an error is returned, not thrown. */
export function parseGoUrl(text: string): GoUrl | GoUrlError {
  const [beforeFragment, fragment] = cut(text, "#");
  const url = attempt(beforeFragment, () => parseUrl(beforeFragment, false));
  if (url instanceof GoUrlError || fragment === "") {
    return url;
  }
  return attempt(text, () => ({ ...url, fragment: decodeEscapes(fragment, "path") }));
}

/**
 * Parses a URL as the target of a request, as Go's `url.ParseRequestURI`: an absolute URL or an absolute path. A fragment
 * is taken for a part of what precedes it.
 */
export function parseGoRequestUrl(text: string): GoUrl | GoUrlError {
  return attempt(text, () => parseUrl(text, true));
}

/** Characters that a path of a URL may have as they are, with escapes, as Go sees it. */
const validPath = /^[\w\-.~/!$&'()*+,;=:@[\]%]*$/;

/** Returns a path as Go writes it again: as it was sent, if it is valid, otherwise with all of it escaped anew. */
export function escapeGoPath(path: string): string {
  if (validPath.test(path)) {
    return path;
  }
  return escapePathBytes(pathBytes(path));
}

/** Returns the bytes of a path with its escapes read, a character for each. */
export function pathBytes(path: string): string {
  return Buffer.from(path)
    .toString("latin1")
    .replace(/%([0-9a-fA-F]{2})/g, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Escapes a path that is given as bytes, a character for each. */
export function escapePathBytes(bytes: string): string {
  return bytes.replace(
    /[^\w\-.~$&+,/:;=@]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

function attempt(text: string, parse: () => GoUrl): GoUrl | GoUrlError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof GoUrlError) {
      return new GoUrlError(`parse ${goQuote(text)}: ${error.message}`);
    }
    throw error;
  }
}

function parseUrl(text: string, isRequest: boolean): GoUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for.
  if (/[\x00-\x1f\x7f]/.test(text)) {
    throw new GoUrlError("net/url: invalid control character in URL");
  }
  if (isRequest && text === "") {
    throw new GoUrlError("empty url");
  }
  const { scheme, rest: afterScheme } = text === "*" ? { scheme: "", rest: text } : splitScheme(text);
  const [beforeQuery, query] = cut(afterScheme, "?");
  const none = { scheme, host: "", user: undefined, opaque: "", path: "", query, fragment: "" };
  if (text !== "*" && !beforeQuery.startsWith("/")) {
    // After a scheme, a text without a slash is opaque and not checked.
    if (scheme !== "") {
      return { ...none, opaque: beforeQuery };
    }
    if (isRequest) {
      throw new GoUrlError("invalid URI for request");
    }
    if (cut(beforeQuery, "/")[0].includes(":")) {
      throw new GoUrlError("first path segment in URL cannot contain colon");
    }
  }
  const hasAuthority =
    beforeQuery.startsWith("//") && (scheme !== "" || (!isRequest && !beforeQuery.startsWith("///")));
  if (!hasAuthority) {
    checkEscapes(beforeQuery, "path");
    return { ...none, path: beforeQuery };
  }
  const slash = beforeQuery.indexOf("/", 2);
  const authority = slash < 0 ? beforeQuery.slice(2) : beforeQuery.slice(2, slash);
  const path = slash < 0 ? "" : beforeQuery.slice(slash);
  const parts = parseAuthority(scheme, authority);
  checkEscapes(path, "path");
  return { ...none, ...parts, path };
}

function splitScheme(text: string): { scheme: string; rest: string } {
  if (text.startsWith(":")) {
    throw new GoUrlError("missing protocol scheme");
  }
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  return match === null
    ? { scheme: "", rest: text }
    : { scheme: (match[1] ?? "").toLowerCase(), rest: text.slice(match[0].length) };
}

function parseAuthority(scheme: string, authority: string): { host: string; user: string | undefined } {
  const at = authority.lastIndexOf("@");
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) {
    return { host, user: undefined };
  }
  const info = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) {
    throw new GoUrlError("net/url: invalid userinfo");
  }
  const colon = info.indexOf(":");
  const parts = colon < 0 ? [info] : [info.slice(0, colon), info.slice(colon + 1)];
  return { host, user: parts.map((part) => escapeUser(decodeEscapes(part, "path"))).join(":") };
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf("[");
  if (open > 0) {
    throw new GoUrlError("invalid IP-literal");
  }
  if (open === 0) {
    return parseAddress(host);
  }
  const first = host.indexOf(":");
  if (first >= 0) {
    checkPort(host.slice(scheme === "http" || scheme === "https" ? first : host.lastIndexOf(":")));
  }
  return decodeEscapes(host, "host");
}

function parseAddress(host: string): string {
  const close = host.lastIndexOf("]");
  if (close < 0) {
    throw new GoUrlError("missing ']' in host");
  }
  checkPort(host.slice(close + 1));
  const address = decodeEscapes(host.slice(1, close), "host");
  if (!isIpV6(address)) {
    throw new GoUrlError(
      /^\d+\.\d+\.\d+\.\d+$/.test(address)
        ? "invalid IP-literal"
        : `invalid host: ParseAddr(${goQuote(address)}): unable to parse IP`,
    );
  }
  return `[${address}]${host.slice(close + 1)}`;
}

/** Reports whether a text is an IPv6 address, with or without a zone: `fe80::1%eth0`. */
function isIpV6(text: string): boolean {
  const [address, ...zone] = text.split("%");
  return (
    /^[\dA-Fa-f:.]+$/.test(address ?? "") &&
    zone.every((name) => /^[\w.:-]+$/.test(name)) &&
    zone.length <= 1 &&
    URL.canParse(`http://[${address}]/`)
  );
}

function checkPort(port: string): void {
  if (port !== "" && !/^:[0-9]*$/.test(port)) {
    throw new GoUrlError(`invalid port ${goQuote(port)} after host`);
  }
}

/** Patterns of what Go rejects in each part: bad escapes, and in a host also ASCII escapes and some characters. */
const misfits = { host: /%(?![89a-fA-F][0-9a-fA-F]|25).{0,2}|[ #/?@\\^`{|}]/s, path: /%(?![0-9a-fA-F]{2}).{0,2}/s };

function checkEscapes(text: string, part: keyof typeof misfits): void {
  const misfit = misfits[part].exec(text)?.[0];
  if (misfit !== undefined) {
    throw new GoUrlError(
      misfit.startsWith("%")
        ? `invalid URL escape ${goQuote(misfit)}`
        : `invalid character ${goQuote(misfit)} in host name`,
    );
  }
}

/** Decodes the escapes of a text, which stand for bytes. Throws GoUrlError for one that is not allowed in the part. */
function decodeEscapes(text: string, part: keyof typeof misfits): string {
  checkEscapes(text, part);
  if (!text.includes("%")) {
    return text;
  }
  const bytes = Buffer.from(text)
    .toString("latin1")
    .replace(/%../g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return Buffer.from(bytes, "latin1").toString();
}

function escapeUser(text: string): string {
  return encodeURIComponent(text)
    .replace(/%(?:24|26|2B|2C|3B|3D)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Splits a text at the first `mark`; the second part is empty when there is none. */
function cut(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
