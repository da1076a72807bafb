import type { JsonArray, JsonObject, JsonValue } from "../json/json.js";
import { compareNaturally } from "./yaml/key-order.js";
import { YamlOutput } from "./yaml/output.js";
import { isComplexKey } from "./yaml/style.js";
import { writeSimpleKey, writeText } from "./yaml/write-scalar.js";

// The output of gopkg.in/yaml.v2, which kube-apiserver and kubectl share: keys in natural order, lists level with the key
// that holds them, long lines folded at column 80, and libyaml's choice between plain, quoted and literal text.

const chunkLength = 64 * 1024;
/** The columns by which libyaml moves what belongs to something else. */
const step = 2;

/** Returns YAML as kube-apiserver answers `application/yaml`. */
export function encodeYaml(value: JsonValue): string {
  let text = "";
  for (const chunk of encodeYamlChunks(value)) {
    text += chunk;
  }
  return text;
}

/** Writes YAML in pieces of about 64 KiB, for callers that let other work run in between. */
export function encodeYamlChunks(value: JsonValue): Generator<string, void> {
  return new YamlWriter().chunks(value);
}

/** A list or map that is being written. */
interface Frame {
  readonly values: readonly JsonValue[];
  /** The keys of a map; undefined for a list. */
  readonly keys: readonly string[] | undefined;
  /** The column at which entries begin. */
  readonly indent: number;
  next: number;
}

/** Keeps lists and maps on a stack of its own, so that it can pause anywhere and depth costs no call frames. */
class YamlWriter {
  readonly #stack: Frame[] = [];
  readonly #output = new YamlOutput();

  *chunks(root: JsonValue): Generator<string, void> {
    this.#value(root, 0, false);
    for (let frame = this.#stack.at(-1); frame !== undefined; frame = this.#stack.at(-1)) {
      if (frame.next === frame.values.length) {
        this.#stack.pop();
      } else {
        this.#entry(frame);
      }
      if (this.#output.length >= chunkLength) {
        yield this.#output.take();
      }
    }
    this.#output.indent(0);
    yield this.#output.take();
  }

  /** Writes a value whose own lines begin at the column `indent`. `isLevel`: a list begins where the key that holds it does. */
  #value(value: JsonValue, indent: number, isLevel: boolean): void {
    if (typeof value === "object" && value !== null) {
      this.#collection(value, indent, isLevel);
    } else if (typeof value === "string") {
      writeText(this.#output, value, Math.max(indent, step));
    } else {
      this.#output.begin(typeof value === "number" ? formatNumber(value) : String(value));
    }
  }

  #collection(value: JsonArray | JsonObject, indent: number, isLevel: boolean): void {
    const isList = Array.isArray(value);
    const keys = isList ? undefined : presentKeys(value);
    const values = isList ? value : (keys ?? []).map((key) => value[key] as JsonValue);
    if (values.length === 0) {
      this.#output.begin(isList ? "[]" : "{}");
    } else {
      this.#stack.push({ values, keys, indent: isList && isLevel ? indent - step : indent, next: 0 });
    }
  }

  #entry(frame: Frame): void {
    const { indent, keys } = frame;
    const index = frame.next++;
    const value = frame.values[index] as JsonValue;
    this.#output.indent(indent);
    if (keys === undefined) {
      this.#output.mark("-");
      this.#value(value, indent + step, false);
    } else {
      const isLevel = this.#key(keys[index] as string, indent);
      this.#value(value, indent + step, isLevel);
    }
  }

  /** Writes a key and its colon. Returns whether a list that is the value stands level with the key. */
  #key(key: string, indent: number): boolean {
    if (isComplexKey(key)) {
      this.#output.mark("?");
      writeText(this.#output, key, indent + step);
      this.#output.indent(indent);
      this.#output.mark(":");
      return false;
    }
    writeSimpleKey(this.#output, key);
    this.#output.write(":");
    return true;
  }
}

function presentKeys(map: JsonObject): string[] {
  return Object.keys(map)
    .filter((key) => map[key] !== undefined)
    .sort(compareNaturally);
}

/** Returns a number as yaml.v2 does: an integer of 64 bits in digits, others in Go's shortest form (`%g`). */
function formatNumber(value: number): string {
  const magnitude = Math.abs(value);
  if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64) {
    return String(value);
  }
  const text = magnitude < 1e-4 || magnitude >= 1e6 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}
