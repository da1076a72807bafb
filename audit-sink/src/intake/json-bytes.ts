/** The text is not JSON, or nested too deeply. */
export class JsonBytesError extends Error {
  override readonly name = "JsonBytesError";
  /** Offset of the unexpected byte. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`);
    this.offset = offset;
  }
}

/**
 * Levels of lists and objects. API servers take objects of 10,000 levels, and an event and its list stand around one.
 */
const maxDepth = 10_010;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Marks on the stack for a list and an object. */
const inList = 0;
const inObject = 1;

/** Bytes that strings hold as they are: neither quote nor backslash, nor below the space. */
const plain = new Uint8Array(256).map((_, byte) => (byte >= 0x20 && byte !== quote && byte !== backslash ? 1 : 0));

/**
 * Goes through JSON in UTF-8, byte by byte, and checks it as strictly as JSON.parse, without making anything of it: where
 * a value ends is found at a fraction of the cost of parsing it. Line breaks between values are overwritten by spaces, so
 * that each value stands on one line. Whether the bytes are UTF-8 is for others to check.
 */
export class JsonBytes {
  readonly #bytes: Uint8Array;
  readonly #stack = new Uint8Array(maxDepth);
  /** Offset of the next byte. */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next byte that is no space, which stays the next one; -1 at the end. */
  peek(): number {
    const bytes = this.#bytes;
    for (;;) {
      const byte = bytes[this.at];
      if (byte === 0x20 || byte === 0x09) {
        this.at++;
      } else if (byte === 0x0a || byte === 0x0d) {
        bytes[this.at++] = 0x20;
      } else {
        return byte ?? -1;
      }
    }
  }

  /** Passes one byte that must come next, after spaces. */
  expect(byte: number): void {
    if (this.peek() !== byte) {
      throw this.unexpected();
    }
    this.at++;
  }

  /** Passes a string whose quote is the next byte. */
  string(): void {
    const bytes = this.#bytes;
    let at = this.at + 1;
    for (;;) {
      while (plain[bytes[at] as number] === 1) {
        at++;
      }
      const byte = bytes[at];
      if (byte === quote) {
        this.at = at + 1;
        return;
      }
      if (byte !== backslash) {
        this.at = at;
        throw this.unexpected();
      }
      at = this.#escape(at + 1);
    }
  }

  /** Passes a value of any kind. */
  value(): void {
    const stack = this.#stack;
    let depth = 0;
    for (;;) {
      // A value begins here.
      const byte = this.peek();
      if (byte === openBrace || byte === openBracket) {
        if (depth === maxDepth) {
          throw new JsonBytesError(`more than ${maxDepth} levels`, this.at);
        }
        this.at++;
        const isObject = byte === openBrace;
        const next = this.peek();
        if (next !== (isObject ? closeBrace : closeBracket)) {
          stack[depth++] = isObject ? inObject : inList;
          if (isObject) {
            this.#key(next);
          }
          continue;
        }
        this.at++;
      } else if (byte === quote) {
        this.string();
      } else {
        this.#scalar(byte);
      }
      // A value has ended: so may those around it.
      for (;;) {
        if (depth === 0) {
          return;
        }
        const next = this.peek();
        const isObject = stack[depth - 1] === inObject;
        if (next === comma) {
          this.at++;
          if (isObject) {
            this.#key(this.peek());
          }
          break;
        }
        if (next !== (isObject ? closeBrace : closeBracket)) {
          throw this.unexpected();
        }
        this.at++;
        depth--;
      }
    }
  }

  /** Returns the error for the next byte. */
  unexpected(): JsonBytesError {
    return new JsonBytesError(this.at >= this.#bytes.length ? "unexpected end" : "unexpected character", this.at);
  }

  #key(next: number): void {
    if (next !== quote) {
      throw this.unexpected();
    }
    this.string();
    this.expect(colon);
  }

  #scalar(byte: number): void {
    switch (byte) {
      case 0x74:
        this.#word("true");
        return;
      case 0x66:
        this.#word("false");
        return;
      case 0x6e:
        this.#word("null");
        return;
      default:
        this.#number();
    }
  }

  #word(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.#bytes[this.at] !== word.charCodeAt(i)) {
        throw this.unexpected();
      }
      this.at++;
    }
  }

  #number(): void {
    const bytes = this.#bytes;
    if (bytes[this.at] === 0x2d) {
      this.at++;
    }
    if (bytes[this.at] === 0x30) {
      this.at++;
    } else {
      this.#digits();
    }
    if (bytes[this.at] === 0x2e) {
      this.at++;
      this.#digits();
    }
    if (((bytes[this.at] ?? 0) | 0x20) === 0x65) {
      this.at++;
      if (bytes[this.at] === 0x2b || bytes[this.at] === 0x2d) {
        this.at++;
      }
      this.#digits();
    }
  }

  #digits(): void {
    const start = this.at;
    while (isDigit(this.#bytes[this.at])) {
      this.at++;
    }
    if (this.at === start) {
      throw this.unexpected();
    }
  }

  /** Passes what follows a backslash; returns where the string goes on. */
  #escape(at: number): number {
    const letter = this.#bytes[at];
    if (letter === 0x75) {
      for (let i = at + 1; i < at + 5; i++) {
        if (!isHexDigit(this.#bytes[i])) {
          this.at = i;
          throw this.unexpected();
        }
      }
      return at + 5;
    }
    if (letter === undefined || !escapeLetters.has(letter)) {
      this.at = at;
      throw this.unexpected();
    }
    return at + 1;
  }
}

const escapeLetters: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
