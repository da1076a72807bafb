import { fieldNameOf, isBlank, isFieldValue, trimmed } from "./fields.js";
import { badRequest, expectationFailed, headTooLarge, type Refusal, refusal, unsupportedEncoding } from "./refusal.js";

/** The head of a request of HTTP/1.1 or 1.0. */
export interface RequestHead {
  readonly method: string;
  /** The target as it was sent. */
  readonly target: string;
  /** The minor version: 1, or 0 for HTTP/1.0. */
  readonly minorVersion: 0 | 1;
  /** Names and values in turn, as they were sent; each byte is a character. */
  readonly fields: readonly string[];
  /** Length of the body in bytes; undefined for one in chunks. */
  readonly bodyLength: number | undefined;
  /** True if the client wants the connection for other requests. */
  readonly isPersistent: boolean;
  /** True if the client waits for 100 Continue before it sends the body. */
  readonly expectsContinue: boolean;
  /** True if the client asks to change to another protocol (RFC 9110, section 7.8). */
  readonly asksForUpgrade: boolean;
}

/**
 * Reads the head of a request: its lines, without the empty one. Values may go on in further lines, as for Go's server, whose
 * words a refusal has. Lines that end in LF alone are refused: not every server takes them for lines.
 */
export function readRequestHead(text: string): RequestHead | Refusal {
  return new HeadReader(text).read();
}

/** A head while it is read, with what its fields say of the body and of the connection. */
class HeadReader {
  readonly #text: string;
  readonly #fields: string[] = [];
  #at = 0;
  #method = "";
  #minorVersion: 0 | 1 = 1;
  #hasBadName = false;
  #hosts = 0;
  #host = "";
  #encodings = 0;
  #encoding = "";
  #length: string | undefined;
  #hasTwoLengths = false;
  /** True if the client says that fields which tell where a body ends come behind it (RFC 9110, section 6.5.1). */
  #announcesFraming = false;
  #connection = "";
  #expectation: string | undefined;
  #upgrades = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): RequestHead | Refusal {
    const line = this.#nextLine();
    const methodEnd = line.indexOf(" ");
    const targetEnd = line.indexOf(" ", methodEnd + 1);
    if (methodEnd < 0 || targetEnd < 0) {
      return badRequest;
    }
    this.#method = this.#part(line.slice(0, methodEnd));
    const target = this.#part(line.slice(methodEnd + 1, targetEnd));
    const version = line.slice(targetEnd + 1);
    if (!fieldNameOf(this.#method).isToken || !isTarget(target, this.#method) || !isVersion(version)) {
      return badRequest;
    }
    this.#minorVersion = version < "HTTP/1.1" ? 0 : 1;
    // The order in which Go's server looks for faults.
    const fault =
      this.#readFields() ??
      this.#faultOfFraming() ??
      (version.startsWith("HTTP/1.") ? this.#faultOfFields() : refusal(505, "unsupported protocol version"));
    return fault ?? this.#finish(target);
  }

  #nextLine(): string {
    const start = this.#at;
    const found = this.#text.indexOf("\r\n", start);
    const end = found < 0 ? this.#text.length : found;
    this.#at = end + 2;
    return this.#text.slice(start, end);
  }

  /** Returns a part of the text. One of a large text is copied: whoever keeps it would keep all of the text with it. */
  #part(part: string): string {
    return this.#text.length > maxSharedLength ? Buffer.from(part, "latin1").toString("latin1") : part;
  }

  #readFields(): Refusal | undefined {
    while (this.#at < this.#text.length) {
      const line = this.#nextLine();
      if (this.#fields.length === 2 * maxFields) {
        return headTooLarge;
      }
      if (isBlank(line.charCodeAt(0))) {
        return badRequest;
      }
      const colon = line.indexOf(":");
      const name = this.#part(line.slice(0, colon));
      let value = this.#part(trimmed(line, colon + 1));
      while (isBlank(this.#text.charCodeAt(this.#at))) {
        value += ` ${trimmed(this.#nextLine(), 0)}`;
      }
      const { lower, isToken } = fieldNameOf(name);
      if (colon <= 0 || !isFieldValue(value) || (!isToken && !isSpacedName(name))) {
        return badRequest;
      }
      this.#hasBadName ||= !isToken;
      this.#fields.push(name, value);
      this.#note(lower, value);
    }
    return this.#hosts > 1 ? badRequest : undefined;
  }

  #note(name: string, value: string): void {
    switch (name) {
      case "host":
        this.#hosts++;
        this.#host = value;
        break;
      case "transfer-encoding":
        this.#encodings++;
        this.#encoding = value;
        break;
      case "content-length":
        this.#hasTwoLengths ||= this.#length !== undefined && this.#length !== value;
        this.#length = value;
        break;
      case "trailer":
        this.#announcesFraming ||= framingNames.test(value);
        break;
      case "connection":
        this.#connection += `,${value}`;
        break;
      case "expect":
        this.#expectation ??= value;
        break;
      case "upgrade":
        this.#upgrades ||= value !== "";
        break;
    }
  }

  #finish(target: string): RequestHead | Refusal {
    const bodyLength = this.#encodings > 0 ? undefined : Number(this.#length ?? 0);
    const isExpected = isContinue.test(this.#expectation ?? "");
    if (!isExpected && this.#expectation !== undefined && this.#expectation !== "") {
      return expectationFailed;
    }
    return {
      method: this.#method,
      target,
      minorVersion: this.#minorVersion,
      fields: this.#fields,
      bodyLength,
      isPersistent:
        this.#method !== "CONNECT" &&
        !isClose.test(this.#connection) &&
        (this.#minorVersion === 1 || isKeepAlive.test(this.#connection)),
      expectsContinue: isExpected && this.#minorVersion === 1 && bodyLength !== 0,
      asksForUpgrade: this.#upgrades && isUpgrade.test(this.#connection) && this.#minorVersion === 1,
    };
  }

  /** Refuses a Host that is missing or has other characters than hosts (RFC 9112, section 3.2), and names with blanks. */
  #faultOfFields(): Refusal | undefined {
    const needsHost = this.#minorVersion === 1 && this.#method !== "CONNECT";
    if (this.#hosts === 0 && needsHost) {
      return refusal(400, "missing required Host header");
    }
    if (!/^[\w!$%&'()*+,\-.:;=[\]~]*$/.test(this.#host)) {
      return refusal(400, "malformed Host header");
    }
    return this.#hasBadName ? refusal(400, "invalid header name") : undefined;
  }

  /**
   * Refuses a body whose end is not certain: whoever in front of this server reads it otherwise would pass on two requests
   * as one. `chunked` alone is known, as in v1.29, and a length beside it is refused (RFC 9112, section 6.1), as is any
   * encoding in HTTP/1.0, which has none.
   */
  #faultOfFraming(): Refusal | undefined {
    if (this.#encodings > 0) {
      if (this.#minorVersion === 0) {
        return badRequest;
      }
      if (this.#encodings > 1 || this.#encoding.toLowerCase() !== "chunked") {
        return unsupportedEncoding;
      }
      return this.#length === undefined && !this.#announcesFraming ? undefined : badRequest;
    }
    return this.#hasTwoLengths || (this.#length !== undefined && !isLength(this.#length)) ? badRequest : undefined;
  }
}

const framingNames = /(?:^|,)[ \t]*(?:transfer-encoding|trailer|content-length)[ \t]*(?:$|,)/i;

/** Reports whether a text is a length of at most 63 bits. */
function isLength(text: string): boolean {
  return /^\d{1,15}$/.test(text) || (/^\d{1,1000}$/.test(text) && BigInt(text) < 2n ** 63n);
}

/** The number of fields, as over HTTP/2. */
const maxFields = 2000;
/** Characters of a head whose parts share its memory. */
const maxSharedLength = 4096;

function isVersion(text: string): boolean {
  return text === "HTTP/1.1" || /^HTTP\/\d\.\d$/.test(text);
}

/** Reports whether a target has one of the forms of RFC 9112, section 3.2. */
export function isTarget(target: string, method: string): boolean {
  return /^[!-~\x80-\xff]+$/.test(target) && (target.startsWith("/") || method === "CONNECT" || isOtherTarget(target));
}

/** Reports whether a target is `*` or a URI with a scheme, whose authority, if there is one, is valid (RFC 3986, section 3.2). */
function isOtherTarget(target: string): boolean {
  const [, rest] = /^[a-z][a-z0-9+.-]*:(.*)$/is.exec(target) ?? [];
  return target === "*" || (rest !== undefined && (!rest.startsWith("//") || authority.test(rest)));
}

const authority = /^\/\/(?:[\w\-.~!$&'()*+,;=:%]*@)?(?:[\w\-.~!$&'()*+,;=]*|\[[0-9a-f:.]+\])(?::\d*)?(?:$|[/?])/i;

// Words of a value, where Go's server sees them: between commas or blanks.
const isContinue = /(?:^|[ ,\t])100-continue(?:$|[ ,\t])/i;
const isClose = /(?:^|[ ,\t])close(?:$|[ ,\t])/i;
const isKeepAlive = /(?:^|[ ,\t])keep-alive(?:$|[ ,\t])/i;
const isUpgrade = /(?:^|[ ,\t])upgrade(?:$|[ ,\t])/i;

/** Go's server names this fault alone among those of names. */
function isSpacedName(name: string): boolean {
  return fieldNameOf(name.replaceAll(" ", "")).isToken;
}
