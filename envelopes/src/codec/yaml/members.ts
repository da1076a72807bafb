import { DecodeError } from "../../errors.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/json.js";
import { setKey } from "../object-plan.js";
import type { YamlAnchors } from "./anchors.js";
import type { MapFrame } from "./frames.js";
import { checkKeys } from "./json-problems.js";
import { duplicateKey, isUnsupported, type YamlKey } from "./yaml-key.js";

const maxDuplicates = 100;

/** Members of the maps of a document: which come twice, and which JSON cannot have. */
export class YamlMembers {
  readonly #anchors: YamlAnchors;
  readonly #duplicateKeys: string[] = [];
  /** Keys that JSON does not have, one of each map. */
  readonly #unsupported = new Map<JsonObject, YamlKey>();

  constructor(anchors: YamlAnchors) {
    this.#anchors = anchors;
  }

  /** Messages of v1.29 about keys given twice; at most a hundred. */
  get duplicateKeys(): readonly string[] {
    return this.#duplicateKeys;
  }

  /** Reports whether the line of a member is needed, since it may be told. */
  needsLine({ lines, members }: MapFrame, { text }: YamlKey): boolean {
    return lines !== undefined || this.#isTold(members, text);
  }

  /** Sets a member, whose value begins on a line, counted from 0. Of several values of a key the last one counts. */
  set({ members, lines }: MapFrame, key: YamlKey, value: JsonValue, line: number): void {
    if (this.#isTold(members, key.text)) {
      this.#duplicateKeys.push(duplicateKey(key, line));
    }
    if (isUnsupported(key)) {
      this.#unsupported.set(members, key);
    }
    lines?.set(key.text, line);
    setKey(members, key.text, value);
  }

  /**
   * Merges a map, or each of a list, into another one: as in yaml.v2, what is there already is replaced, and of a list the first
   * map is merged last. An alias cannot stand for a list. Throws DecodeError for other values.
   */
  merge(frame: MapFrame, value: JsonValue): void {
    const sources = Array.isArray(value) && !frame.isAlias ? value.toReversed() : [value];
    for (const source of sources) {
      if (!isJsonObject(source)) {
        throw new DecodeError("yaml: map merge requires map or sequence of maps as the value");
      }
      const lines = this.#anchors.linesOf(source);
      for (const key of Object.keys(source)) {
        this.#anchors.spend(Object.hasOwn(frame.members, key) ? 0 : 1);
        this.set(frame, { text: key, value: key }, source[key] as JsonValue, lines?.get(key) ?? 0);
      }
    }
  }

  /** Throws DecodeError for a key, in what is left in the end, that JSON does not have. */
  check(document: JsonValue): void {
    if (this.#unsupported.size > 0) {
      checkKeys(document, this.#unsupported);
    }
  }

  #isTold(members: JsonObject, key: string): boolean {
    return this.#duplicateKeys.length < maxDuplicates && Object.hasOwn(members, key);
  }
}
