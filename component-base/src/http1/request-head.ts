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
  #hosts = 0;
  #host = "";
  #encodings = 0;
  #encoding = "";
  #length: string | undefined;
  #hasTwoLengths = false;
  #connection = "";
  #expectation = "";
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
    this.#minorVersion = version.endsWith("0") ? 0 : 1;
    const fault = this.#readFields();
    if (fault !== undefined) {
      return fault;
    }
    return version.startsWith("HTTP/1.") ? this.#finish(target) : refusal(505, "unsupported protocol version");
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
    let hasBadName = false;
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
      hasBadName ||= !isToken;
      this.#fields.push(name, value);
      this.#note(lower, value);
    }
    return hasBadName ? refusal(400, "invalid header name") : undefined;
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
      case "connection":
        this.#connection += `,${value.toLowerCase()}`;
        break;
      case "expect":
        this.#expectation ||= value.toLowerCase();
        break;
      case "upgrade":
        this.#upgrades ||= value !== "";
        break;
    }
  }

  #finish(target: string): RequestHead | Refusal {
    const fault = this.#faultOfHost() ?? this.#faultOfFraming();
    if (fault !== undefined) {
      return fault;
    }
    const bodyLength = this.#encodings > 0 ? undefined : Number(this.#length ?? 0);
    const expectsContinue = this.#expectation !== "" && this.#minorVersion === 1 && bodyLength !== 0;
    if (this.#expectation !== "" && this.#expectation !== "100-continue") {
      return expectationFailed;
    }
    const options = this.#connection === "" ? noOptions : this.#connection.split(",").map((option) => option.trim());
    return {
      method: this.#method,
      target,
      minorVersion: this.#minorVersion,
      fields: this.#fields,
      bodyLength,
      isPersistent:
        this.#method !== "CONNECT" &&
        !options.includes("close") &&
        (this.#minorVersion === 1 || options.includes("keep-alive")),
      expectsContinue,
      asksForUpgrade: this.#upgrades && options.includes("upgrade") && this.#minorVersion === 1,
    };
  }

  /** Refuses all but exactly one Host of valid characters (RFC 9112, section 3.2). */
  #faultOfHost(): Refusal | undefined {
    if (this.#hosts > 1) {
      return badRequest;
    }
    if (this.#hosts === 0) {
      const needsNone = this.#minorVersion === 0 || this.#method === "CONNECT";
      return needsNone ? undefined : refusal(400, "missing required Host header");
    }
    return /^[\w!$%&'()*+,\-.:;=[\]~]*$/.test(this.#host) ? undefined : refusal(400, "malformed Host header");
  }

  /**
   * Refuses a body whose end is not certain: whoever in front of this server reads it otherwise would pass on two requests
   * as one. `chunked` alone is known, as in v1.29, and a length beside it is refused (RFC 9112, section 6.1), as is any
   * encoding in HTTP/1.0, which has none.
   */
  #faultOfFraming(): Refusal | undefined {
    if (this.#hasTwoLengths || (this.#length !== undefined && !/^\d{1,15}$/.test(this.#length))) {
      return badRequest;
    }
    if (this.#encodings === 0) {
      return undefined;
    }
    if (this.#minorVersion === 0) {
      return badRequest;
    }
    if (this.#encodings > 1 || this.#encoding.toLowerCase() !== "chunked") {
      return unsupportedEncoding;
    }
    return this.#length === undefined ? undefined : badRequest;
  }
}

/** The number of fields, as over HTTP/2. */
const maxFields = 2000;
/** Characters of a head whose parts share its memory. */
const maxSharedLength = 4096;
const noOptions: readonly string[] = [];

function isVersion(text: string): boolean {
  return text === "HTTP/1.1" || /^HTTP\/\d\.\d$/.test(text);
}

/** Reports whether a target has one of the forms of RFC 9112, section 3.2. */
export function isTarget(target: string, method: string): boolean {
  return /^[!-~\x80-\xff]+$/.test(target) && (target.startsWith("/") || method === "CONNECT" || isOtherTarget(target));
}

function isOtherTarget(target: string): boolean {
  return target.startsWith("*") || /^[a-z][a-z0-9+.-]*:\/\//i.test(target);
}

/** Go's server names this fault alone among those of names. */
function isSpacedName(name: string): boolean {
  return fieldNameOf(name.replaceAll(" ", "")).isToken;
}
