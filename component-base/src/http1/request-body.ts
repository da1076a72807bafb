import { fieldNameOf, isFieldValue, trimmed } from "./fields.js";

/** The party that takes a body. */
export interface BodySink {
  onData(bytes: Buffer): void;
  /** Called before the end with the fields behind a body in chunks: names and values in turn. */
  onTrailers(fields: readonly string[]): void;
}

/** A body as it is read. */
export interface RequestBody {
  /** True once all of it has been read. */
  readonly isWhole: boolean;
  /** Reads from the beginning of `bytes`; returns how many belong to the body. Throws MalformedBodyError. */
  read(bytes: Buffer, sink: BodySink): number;
}

/** The framing of a body is not that of RFC 9112, section 7.1. */
export class MalformedBodyError extends Error {
  override readonly name = "MalformedBodyError";
}

/** A body whose length is known. */
export class MeasuredBody implements RequestBody {
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  get isWhole(): boolean {
    return this.#left === 0;
  }

  read(bytes: Buffer, sink: BodySink): number {
    const taken = Math.min(bytes.length, this.#left);
    this.#left -= taken;
    sink.onData(taken === bytes.length ? bytes : bytes.subarray(0, taken));
    return taken;
  }
}

/** Bytes of the line before a chunk, and of all fields behind the last one, as Go's server takes them. */
const maxLineBytes = 4096;
/** Bytes that chunks may take beside their data and what small ones need, as for Go's server. */
const maxExcessBytes = 16 * 1024;

type Part = "size" | "data" | "data end" | "trailers" | "nothing";

/** A body in chunks. */
export class ChunkedBody implements RequestBody {
  #part: Part = "size";
  /** The beginning of a line whose end has not come yet. */
  #line = "";
  /** Bytes of the chunk that are still to come. */
  #left = 0;
  #excess = 0;
  #trailerBytes = 0;
  readonly #trailers: string[] = [];

  get isWhole(): boolean {
    return this.#part === "nothing";
  }

  read(bytes: Buffer, sink: BodySink): number {
    let at = 0;
    while (at < bytes.length && this.#part !== "nothing") {
      at += this.#part === "data" ? this.#readData(bytes.subarray(at), sink) : this.#readLine(bytes, at, sink);
    }
    return at;
  }

  #readData(bytes: Buffer, sink: BodySink): number {
    const taken = Math.min(bytes.length, this.#left);
    this.#left -= taken;
    if (this.#left === 0) {
      this.#part = "data end";
    }
    sink.onData(bytes.subarray(0, taken));
    return taken;
  }

  #readLine(bytes: Buffer, from: number, sink: BodySink): number {
    const found = bytes.indexOf(lineFeed, from);
    const end = found < 0 ? bytes.length : found + 1;
    if (this.#line.length + end - from > maxLineBytes) {
      throw new MalformedBodyError("a line of the body is too long");
    }
    this.#line += bytes.toString("latin1", from, end);
    if (found >= 0) {
      const line = this.#line;
      this.#line = "";
      if (!line.endsWith("\r\n")) {
        throw new MalformedBodyError("a line of the body ends without a carriage return");
      }
      this.#takeLine(line.slice(0, -2), sink);
    }
    return end - from;
  }

  #takeLine(line: string, sink: BodySink): void {
    if (this.#part === "size") {
      this.#beginChunk(line);
    } else if (this.#part === "data end") {
      if (line !== "") {
        throw new MalformedBodyError("a chunk is longer than it says");
      }
      this.#part = "size";
    } else if (line !== "") {
      this.#takeTrailer(line);
    } else {
      this.#part = "nothing";
      if (this.#trailers.length > 0) {
        sink.onTrailers(this.#trailers);
      }
    }
  }

  #beginChunk(line: string): void {
    const [, digits = ""] = /^([0-9a-fA-F]{1,13})[ \t]*(?:;.*)?$/.exec(line) ?? [];
    if (digits === "") {
      throw new MalformedBodyError("a chunk begins without its size");
    }
    this.#left = Number.parseInt(digits, 16);
    this.#excess = Math.max(0, this.#excess + line.length + 4 - 16 - 2 * this.#left);
    if (this.#excess > maxExcessBytes) {
      throw new MalformedBodyError("the body is mostly framing");
    }
    this.#part = this.#left === 0 ? "trailers" : "data";
  }

  #takeTrailer(line: string): void {
    this.#trailerBytes += line.length;
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = trimmed(line, colon + 1);
    if (this.#trailerBytes > maxLineBytes || colon <= 0 || !fieldNameOf(name).isToken || !isFieldValue(value)) {
      throw new MalformedBodyError("a field behind the body cannot be read");
    }
    this.#trailers.push(name, value);
  }
}

const lineFeed = 0x0a;
