import type { JsonArray, JsonObject, JsonValue } from "../json.js";
import { DecodeError } from "./decode-error.js";
import { setKey } from "./object-plan.js";

export interface ParsedJson {
  readonly value: JsonValue;
  /** Paths of members given twice, `spec.replicas`; the last one counts. */
  readonly duplicateFields: readonly string[];
}

/** Go's limit. */
const maxDepth = 10_000;
/** As many duplicates as kube-apiserver reports. */
const maxDuplicates = 100;

/** The parser for what JSON.parse gets wrong or says badly: every duplicate, every digit, and errors in Go's words. */
export function parseJsonExactly(text: string): ParsedJson {
  return new Parser(text).parse();
}

type Frame = ObjectFrame | ArrayFrame;

interface ObjectFrame {
  readonly type: "object";
  readonly container: JsonObject;
  readonly seen: Set<string>;
  key: string;
}

interface ArrayFrame {
  readonly type: "array";
  readonly container: JsonArray;
}

const endOfInput = "unexpected end of JSON input";

class Parser {
  readonly #text: string;
  readonly #stack: Frame[] = [];
  readonly #duplicates = new Set<string>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): ParsedJson {
    const value = this.#document();
    this.#skipSpace();
    if (this.#at < this.#text.length) {
      throw this.#unexpected("after top-level value");
    }
    return { value, duplicateFields: [...this.#duplicates] };
  }

  /** Containers are kept on a stack of our own, so that depth costs no call frames. */
  #document(): JsonValue {
    let done = this.#value();
    for (;;) {
      const frame = this.#stack.at(-1);
      if (frame === undefined) {
        return done as JsonValue;
      }
      if (done !== undefined) {
        this.#store(frame, done);
      }
      done =
        frame.type === "object"
          ? this.#objectStep(frame, done === undefined)
          : this.#arrayStep(frame, done === undefined);
    }
  }

  /** A finished value, or undefined when it opened a container. */
  #value(): JsonValue | undefined {
    this.#skipSpace();
    const code = this.#text.charCodeAt(this.#at);
    switch (code) {
      case 0x7b:
        this.#open({ type: "object", container: {}, seen: new Set(), key: "" });
        return undefined;
      case 0x5b:
        this.#open({ type: "array", container: [] });
        return undefined;
      case 0x22:
        return this.#string();
      case 0x74:
        return this.#literal("true", true);
      case 0x66:
        return this.#literal("false", false);
      case 0x6e:
        return this.#literal("null", null);
      default:
        if (code === 0x2d || isDigit(code)) {
          return this.#number();
        }
        throw this.#unexpected("looking for beginning of value");
    }
  }

  #open(frame: Frame): void {
    if (this.#stack.length === maxDepth) {
      throw this.#unexpected("exceeded max depth");
    }
    this.#at++;
    this.#stack.push(frame);
  }

  #close(frame: Frame): JsonValue {
    this.#at++;
    this.#stack.pop();
    return frame.container;
  }

  #store(frame: Frame, value: JsonValue): void {
    if (frame.type === "array") {
      frame.container.push(value);
    } else {
      setKey(frame.container, frame.key, value);
    }
  }

  #objectStep(frame: ObjectFrame, first: boolean): JsonValue | undefined {
    this.#skipSpace();
    const code = this.#text.charCodeAt(this.#at);
    if (code === 0x7d) {
      return this.#close(frame);
    }
    if (!first) {
      if (code !== 0x2c) {
        throw this.#unexpected("after object key:value pair");
      }
      this.#at++;
      this.#skipSpace();
    }
    if (this.#text.charCodeAt(this.#at) !== 0x22) {
      throw this.#unexpected("looking for beginning of object key string");
    }
    frame.key = this.#string();
    if (frame.seen.has(frame.key)) {
      this.#reportDuplicate();
    }
    frame.seen.add(frame.key);
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) !== 0x3a) {
      throw this.#unexpected("after object key");
    }
    this.#at++;
    return this.#value();
  }

  #arrayStep(frame: ArrayFrame, first: boolean): JsonValue | undefined {
    this.#skipSpace();
    const code = this.#text.charCodeAt(this.#at);
    if (code === 0x5d) {
      return this.#close(frame);
    }
    if (!first) {
      if (code !== 0x2c) {
        throw this.#unexpected("after array element");
      }
      this.#at++;
    }
    return this.#value();
  }

  #reportDuplicate(): void {
    if (this.#duplicates.size >= maxDuplicates) {
      return;
    }
    let path = "";
    for (const frame of this.#stack) {
      if (frame.type === "array") {
        path += `[${frame.container.length}]`;
      } else {
        path += path === "" ? frame.key : `.${frame.key}`;
      }
    }
    this.#duplicates.add(path);
  }

  #literal(word: string, value: JsonValue): JsonValue {
    for (let i = 1; i < word.length; i++) {
      this.#at++;
      if (this.#text[this.#at] !== word[i]) {
        throw this.#unexpected(`in literal ${word} (expecting '${word[i]}')`);
      }
    }
    this.#at++;
    return value;
  }

  #number(): JsonValue {
    const start = this.#at;
    if (this.#text.charCodeAt(this.#at) === 0x2d) {
      this.#at++;
    }
    if (this.#text.charCodeAt(this.#at) === 0x30) {
      this.#at++;
    } else {
      this.#digits("in numeric literal");
    }
    let isInteger = true;
    if (this.#text.charCodeAt(this.#at) === 0x2e) {
      isInteger = false;
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    const exponent = this.#text[this.#at];
    if (exponent === "e" || exponent === "E") {
      isInteger = false;
      this.#at++;
      const sign = this.#text[this.#at];
      if (sign === "+" || sign === "-") {
        this.#at++;
      }
      this.#digits("in exponent of numeric literal");
    }
    return toNumber(this.#text.slice(start, this.#at), isInteger);
  }

  #digits(where: string): void {
    if (!isDigit(this.#text.charCodeAt(this.#at))) {
      throw this.#unexpected(where);
    }
    while (isDigit(this.#text.charCodeAt(this.#at))) {
      this.#at++;
    }
  }

  #string(): string {
    const start = this.#at;
    let plain = true;
    for (;;) {
      this.#at++;
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) {
        this.#at++;
        break;
      }
      if (code === 0x5c) {
        plain = false;
        this.#escape();
      } else if (code < 0x20 || Number.isNaN(code)) {
        throw this.#unexpected("in string literal");
      }
    }
    if (plain) {
      return this.#text.slice(start + 1, this.#at - 1);
    }
    const value = JSON.parse(this.#text.slice(start, this.#at)) as string;
    return value.replace(/\p{Surrogate}/gu, "\uFFFD");
  }

  #escape(): void {
    this.#at++;
    const letter = this.#text[this.#at];
    if (letter === "u") {
      for (let i = 0; i < 4; i++) {
        this.#at++;
        if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? "")) {
          throw this.#unexpected("in \\u hexadecimal character escape");
        }
      }
    } else if (letter === undefined || !'bfnrt\\/"'.includes(letter)) {
      throw this.#unexpected("in string escape code");
    }
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        return;
      }
      this.#at++;
    }
  }

  #unexpected(where: string): DecodeError {
    const character = this.#text.codePointAt(this.#at);
    return new DecodeError(character === undefined ? endOfInput : `invalid character ${quoteByte(character)} ${where}`);
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** An integer keeps all digits that an int64 can have; what is larger is a float, as in Go. */
function toNumber(text: string, isInteger: boolean): JsonValue {
  const value = Number(text);
  if (isInteger && !Number.isSafeInteger(value) && text.length <= 20) {
    const exact = BigInt(text);
    if (BigInt.asIntN(64, exact) === exact) {
      return exact;
    }
  }
  if (!Number.isFinite(value)) {
    throw new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`);
  }
  return value;
}

/** Go names the offending byte, so of a longer character only its first byte in UTF-8. */
function quoteByte(character: number): string {
  const byte = character < 0x80 ? character : (Buffer.from(String.fromCodePoint(character))[0] ?? 0);
  const text = String.fromCharCode(byte);
  if (text === "'") {
    return "'\\''";
  }
  if (text === '"') {
    return "'\"'";
  }
  if (byte < 0x20 || (byte >= 0x7f && byte < 0xa0)) {
    const short: Readonly<Record<string, string>> = {
      "\n": "\\n",
      "\r": "\\r",
      "\t": "\\t",
      "\b": "\\b",
      "\f": "\\f",
      "\v": "\\v",
      "\x07": "\\a",
    };
    const hex = byte.toString(16);
    return `'${short[text] ?? (byte < 0x80 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`)}'`;
  }
  return `'${text === "\\" ? "\\\\" : text}'`;
}
