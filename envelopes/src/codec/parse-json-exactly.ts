import type { JsonArray, JsonObject, JsonValue } from "../json/json.js";
import type { Steps } from "../scheduling/steps.js";
import type { AsWritten } from "./as-written.js";
import { DecodeError } from "./decode-error.js";
import { isDigit, JsonScanner } from "./json-scanner.js";
import { setKey } from "./object-plan.js";
import { maxPathsLength } from "./problem-paths.js";

/** The result of parsing a JSON text. */
export interface ParsedJson {
  /** The parsed value: the last one of a repeated member, and `1` for `1.0`. */
  readonly value: JsonValue;
  /** Paths of members given twice, `spec.replicas`; at most a hundred. */
  readonly duplicateFields: readonly string[];
  /** Details of the text that `value` does not show, for `decodeJson`; undefined when there are none. */
  readonly asWritten: AsWritten | undefined;
}

/**
 * The limit of nesting. Go reads 10,000 levels, but patches, comparisons and encoders here recurse, and an object that
 * could be stored but never changed would be worse than one that is refused.
 */
export const maxDepth = 1_000;
/** The limit of reported duplicates, as in kube-apiserver. */
const maxDuplicates = 100;
/** The limit of noted spellings; numbers beyond it are taken as whole numbers. */
const maxSpellings = 10_000;

/** The number of values that are read in one step, in a few milliseconds. */
const valuesPerStep = 2_000;

/** Parses with every duplicate, every digit, and errors in Go's words, which JSON.parse cannot give. */
export function parseJsonExactly(text: string): ParsedJson {
  return new Parser(text).parse();
}

/**
 * Parses JSON as `parseJsonExactly` does, in steps. `deepest` is how deep lists and objects may nest; this parser itself
 * does not recurse.
 */
export function* parseJsonExactlySteps(text: string, deepest: number = maxDepth): Steps<ParsedJson> {
  const parser = new Parser(text, { deepest });
  while (!parser.advance(valuesPerStep)) {
    yield;
  }
  return parser.result();
}

/**
 * Returns the paths of all members in the order of the text, each as often as it is given. The text must be valid JSON.
 */
export function memberPaths(text: string): readonly string[] {
  const paths: string[] = [];
  new Parser(text, { onMember: (path) => paths.push(path) }).parse();
  return paths;
}

type Frame = ObjectFrame | ArrayFrame;

interface ObjectFrame {
  readonly type: "object";
  readonly container: JsonObject;
  key: string;
}

interface ArrayFrame {
  readonly type: "array";
  readonly container: JsonArray;
}

class Parser {
  readonly #scanner: JsonScanner;
  readonly #stack: Frame[] = [];
  readonly #duplicates = new Set<string>();
  #duplicatesLength = 0;
  readonly #repeats = new Map<JsonObject, Map<string, JsonValue[]>>();
  readonly #spellings = new Map<JsonObject | JsonArray, Map<string | number, string>>();
  readonly #onMember: ((path: string) => void) | undefined;
  readonly #deepest: number;
  #spellingCount = 0;
  #isStarted = false;
  /** The value that was read last and is not yet in its container; undefined when a container has been opened. */
  #done: JsonValue | undefined;

  constructor(
    text: string,
    { onMember, deepest = maxDepth }: { readonly onMember?: (path: string) => void; readonly deepest?: number } = {},
  ) {
    this.#scanner = new JsonScanner(text);
    this.#onMember = onMember;
    this.#deepest = deepest;
  }

  parse(): ParsedJson {
    this.advance(Number.POSITIVE_INFINITY);
    return this.result();
  }

  /** Returns the document, once `advance` has returned true. Throws DecodeError when something follows it. */
  result(): ParsedJson {
    const value = this.#done as JsonValue;
    this.#scanner.peek();
    if (!this.#scanner.atEnd) {
      throw this.#scanner.unexpected("after top-level value");
    }
    const isPlain = this.#repeats.size === 0 && this.#spellings.size === 0;
    return {
      value,
      duplicateFields: [...this.#duplicates],
      asWritten: isPlain ? undefined : { repeats: this.#repeats, spellings: this.#spellings },
    };
  }

  /**
   * Reads up to so many values; true when the document has been read. Containers are kept on a stack of our own, so that
   * depth costs no call frames.
   */
  advance(values: number): boolean {
    let done = this.#isStarted ? this.#done : this.#value();
    this.#isStarted = true;
    for (let read = 0; read < values; read++) {
      const frame = this.#stack.at(-1);
      if (frame === undefined) {
        this.#done = done;
        return true;
      }
      const isFirst = done === undefined;
      if (done !== undefined) {
        this.#store(frame, done);
      }
      done = frame.type === "object" ? this.#objectStep(frame, isFirst) : this.#arrayStep(frame, isFirst);
    }
    this.#done = done;
    return false;
  }

  /** Reads a value; undefined when it opened a container. */
  #value(): JsonValue | undefined {
    const code = this.#scanner.peek();
    switch (code) {
      case 0x7b:
        this.#open({ type: "object", container: {}, key: "" });
        return undefined;
      case 0x5b:
        this.#open({ type: "array", container: [] });
        return undefined;
      case 0x22:
        return this.#scanner.string();
      case 0x74:
        this.#scanner.literal("true");
        return true;
      case 0x66:
        this.#scanner.literal("false");
        return false;
      case 0x6e:
        this.#scanner.literal("null");
        return null;
      default:
        if (code === 0x2d || isDigit(code)) {
          return this.#number();
        }
        throw this.#scanner.unexpected("looking for beginning of value");
    }
  }

  #open(frame: Frame): void {
    if (this.#stack.length === this.#deepest) {
      throw this.#scanner.unexpected("exceeded max depth");
    }
    this.#scanner.at++;
    this.#stack.push(frame);
  }

  #close(frame: Frame): JsonValue {
    this.#scanner.at++;
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

  #objectStep(frame: ObjectFrame, isFirst: boolean): JsonValue | undefined {
    const scanner = this.#scanner;
    let code = scanner.peek();
    if (code === 0x7d) {
      return this.#close(frame);
    }
    if (!isFirst) {
      if (code !== 0x2c) {
        throw scanner.unexpected("after object key:value pair");
      }
      scanner.at++;
      code = scanner.peek();
    }
    if (code !== 0x22) {
      throw scanner.unexpected("looking for beginning of object key string");
    }
    frame.key = scanner.string();
    this.#onMember?.(this.#path());
    if (Object.hasOwn(frame.container, frame.key)) {
      this.#repeat(frame);
    }
    if (scanner.peek() !== 0x3a) {
      throw scanner.unexpected("after object key");
    }
    scanner.at++;
    return this.#value();
  }

  #arrayStep(frame: ArrayFrame, isFirst: boolean): JsonValue | undefined {
    const scanner = this.#scanner;
    const code = scanner.peek();
    if (code === 0x5d) {
      return this.#close(frame);
    }
    if (!isFirst) {
      if (code !== 0x2c) {
        throw scanner.unexpected("after array element");
      }
      scanner.at++;
    }
    return this.#value();
  }

  #number(): JsonValue {
    const { text, isInteger } = this.#scanner.number();
    const value = Number(text);
    if (!Number.isFinite(value)) {
      throw new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`);
    }
    if (isInteger) {
      return Number.isSafeInteger(value) ? value : BigInt(text);
    }
    if (Number.isInteger(value)) {
      this.#noteSpelling(text);
    }
    return value;
  }

  #noteSpelling(text: string): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined || ++this.#spellingCount > maxSpellings) {
      return;
    }
    const spellings = this.#spellings.get(frame.container) ?? new Map<string | number, string>();
    spellings.set(frame.type === "array" ? frame.container.length : frame.key, text);
    this.#spellings.set(frame.container, spellings);
  }

  /** Notes that a member is about to be given again. */
  #repeat({ container, key }: ObjectFrame): void {
    const members = this.#repeats.get(container) ?? new Map<string, JsonValue[]>();
    const values = members.get(key) ?? [];
    values.push(container[key] as JsonValue);
    this.#repeats.set(container, members.set(key, values));
    this.#spellings.get(container)?.delete(key);
    if (this.#duplicates.size < maxDuplicates && this.#duplicatesLength < maxPathsLength) {
      const path = this.#path();
      this.#duplicatesLength += path.length;
      this.#duplicates.add(path);
    }
  }

  #path(): string {
    let path = "";
    for (const frame of this.#stack) {
      if (frame.type === "array") {
        path += `[${frame.container.length}]`;
      } else {
        path += path === "" ? frame.key : `.${frame.key}`;
      }
    }
    return path;
  }
}
