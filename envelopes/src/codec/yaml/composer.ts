import { DecodeError } from "../../errors.js";
import type { JsonValue } from "../../json/json.js";
import { maxDepth } from "../parse-json-exactly.js";
import { YamlAnchors } from "./anchors.js";
import type { YamlCursor } from "./cursor.js";
import { type Frame, listFrame, type MapFrame, mapFrame } from "./frames.js";
import { checkNumbers } from "./json-problems.js";
import { YamlMembers } from "./members.js";
import { type NodeProperties, noProperties } from "./node-properties.js";
import { behindKey, type Place } from "./place.js";
import { scalarValue } from "./scalar-value.js";
import { invalidKey, keyOf, type YamlKey } from "./yaml-key.js";

/**
 * Composes the value of a document from the nodes that are read. Lists and maps that are open are kept on a stack, so that
 * depth costs no call frames.
 */
export class YamlComposer {
  readonly anchors = new YamlAnchors();
  readonly #cursor: YamlCursor;
  readonly #stack: Frame[] = [];
  readonly #members = new YamlMembers(this.anchors);
  /** The first error of those that v1.29 finds when it makes values of what it has read. */
  #valueError: DecodeError | undefined;
  #value: JsonValue = null;
  #hasNonFinite = false;

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
  }

  /** The value of the document, once it has been read. */
  get value(): JsonValue {
    return this.#value;
  }

  /** Messages of v1.29 about keys given twice; at most a hundred. */
  get duplicateKeys(): readonly string[] {
    return this.#members.duplicateKeys;
  }

  /** The list or map that holds the next node; undefined at the top. */
  get innermost(): Frame | undefined {
    return this.#stack.at(-1);
  }

  /** Throws DecodeError for what v1.29 finds wrong in a document after it has read it. */
  check(): void {
    if (this.#valueError !== undefined) {
      throw this.#valueError;
    }
    this.#members.check(this.#value);
    if (this.#hasNonFinite) {
      checkNumbers(this.#value);
    }
  }

  // Scalars and aliases.

  /** Returns the value of a scalar; null where the text is not what its tag says. */
  scalar(text: string, isPlain: boolean, properties: NodeProperties): JsonValue {
    return this.named(this.#scalarValue(text, isPlain, properties.tag), properties);
  }

  /** Returns the value of a node that has properties and nothing else. */
  emptyScalar(properties: NodeProperties): JsonValue {
    return this.scalar("", properties.tag === undefined, properties);
  }

  #scalarValue(text: string, isPlain: boolean, tag: string | undefined): JsonValue {
    try {
      return scalarValue(text, isPlain, tag);
    } catch (error) {
      return this.#defer(error);
    }
  }

  /** Returns a value that has been read whole, and which aliases may stand for if it has an anchor. */
  named(value: JsonValue, { anchor }: NodeProperties): JsonValue {
    if (anchor !== undefined) {
      this.anchors.define(anchor, value, 1);
    }
    return value;
  }

  /** Returns a copy of the value that an alias stands for. Throws DecodeError when there is none. */
  aliased(name: string): JsonValue {
    const frame = this.innermost;
    if (frame?.type === "map") {
      frame.isAlias = true;
    }
    const value = this.anchors.resolve(name);
    return value === undefined ? this.#defer(new DecodeError(`yaml: anchor '${name}' value contains itself`)) : value;
  }

  /** Notes an error that v1.29 tells after others, and returns null for the value that there is not. */
  #defer(error: unknown): null {
    if (!(error instanceof DecodeError)) {
      throw error;
    }
    this.#valueError ??= error;
    return null;
  }

  // Lists and maps.

  /** Opens a list whose dashes stand in a column. `isLevel` is as in ListFrame. */
  openBlockList(indent: number, properties: NodeProperties, isLevel: boolean): void {
    this.#openList(indent, properties, isLevel, undefined);
  }

  /** Opens a list in brackets. `keyColumn` is that of a map by indentation of which it may be the first key. */
  openFlowList(properties: NodeProperties, keyColumn: number | undefined): void {
    this.#openList(undefined, properties, false, keyColumn);
  }

  #openList(
    indent: number | undefined,
    { anchor }: NodeProperties,
    isLevel: boolean,
    keyColumn: number | undefined,
  ): void {
    this.#open(anchor);
    this.#stack.push(listFrame({ indent, anchor, countBefore: this.anchors.count, keyColumn }, isLevel));
  }

  /**
   * Opens a map whose keys stand in a column. `countBefore` is the number of values before its first key, if that has been
   * read.
   */
  openBlockMap(indent: number, properties: NodeProperties, countBefore?: number): MapFrame {
    return this.#openMap(indent, properties, false, undefined, countBefore);
  }

  /** Opens a map in braces. `keyColumn` is that of a map by indentation of which it may be the first key. */
  openFlowMap(properties: NodeProperties, keyColumn: number | undefined): MapFrame {
    return this.#openMap(undefined, properties, false, keyColumn);
  }

  /** Opens the map of one pair that is an item of a list in brackets. */
  openPair(): MapFrame {
    return this.#openMap(undefined, noProperties, true, undefined);
  }

  #openMap(
    indent: number | undefined,
    { anchor }: NodeProperties,
    isPair: boolean,
    keyColumn: number | undefined,
    countBefore = this.anchors.count + 1,
  ): MapFrame {
    const mayBeMerged = anchor !== undefined || this.#isMerged(this.innermost);
    this.#open(anchor);
    const frame = mapFrame({ indent, anchor, countBefore, keyColumn }, isPair, mayBeMerged);
    this.#stack.push(frame);
    return frame;
  }

  /** Reports whether what is read next is merged into a map, or is one of a list of which each is. */
  #isMerged(frame: Frame | undefined): boolean {
    const holder = frame?.type === "list" ? this.#stack.at(-2) : frame;
    return holder?.type === "map" && holder.isMerge;
  }

  #open(anchor: string | undefined): void {
    if (this.#stack.length >= maxDepth) {
      throw new DecodeError("yaml: exceeded max depth");
    }
    this.anchors.add();
    if (anchor !== undefined) {
      this.anchors.open(anchor);
    }
  }

  /** Closes the innermost list or map. Returns the place of the next node if it was the first key of a map. */
  close(frame: Frame): Place | undefined {
    this.#stack.pop();
    if (frame.type === "map") {
      this.anchors.noteLines(frame.members, frame.lines);
    }
    const value = frame.type === "map" ? frame.members : frame.items;
    if (frame.anchor !== undefined) {
      this.anchors.define(frame.anchor, value, this.anchors.count - frame.countBefore + 1);
    }
    if (frame.keyColumn === undefined || !this.#cursor.takeColon(false)) {
      return this.deliver(value);
    }
    this.setKey(this.openBlockMap(frame.keyColumn, noProperties), value, this.#cursor.at, false);
    return behindKey(frame.keyColumn);
  }

  /** Puts a value where it belongs. Returns no place of a next node: the list or map around it tells that. */
  deliver(value: JsonValue): undefined {
    const frame = this.innermost;
    this.#hasNonFinite ||= typeof value === "number" && !Number.isFinite(value);
    if (frame === undefined) {
      this.#value = value;
    } else if (frame.type === "list") {
      frame.items.push(value);
      frame.needsComma = true;
    } else if (frame.expectsKey) {
      frame.expectsKey = false;
      this.setKey(frame, value, this.#cursor.at, false);
    } else {
      this.#setMember(frame, value);
    }
  }

  // Members of maps.

  /** Sets the key of the member whose value comes next. `at` is where the key begins, `isMerge` true for a plain `<<`. */
  setKey(frame: MapFrame, value: JsonValue, at: number, isMerge: boolean): void {
    frame.key = keyOf(value) ?? this.#refusedKey(value);
    // A member is one value, as in JSON: its key has been counted as a scalar.
    this.anchors.spend(-1);
    frame.isMerge = isMerge;
    frame.isAlias = false;
    frame.valueLine = this.#members.needsLine(frame, frame.key) ? this.#cursor.lineOf(at) : 0;
  }

  #refusedKey(value: JsonValue): YamlKey {
    // The text of the error may be long, and only the first counts.
    this.#valueError ??= invalidKey(value);
    return { text: "", value: "" };
  }

  /** Notes where the value of a key begins, if messages may tell it. */
  noteValueLine(at: number): void {
    const frame = this.innermost;
    if (frame?.type === "map" && frame.key !== undefined && this.#members.needsLine(frame, frame.key)) {
      frame.valueLine = this.#cursor.lineOf(at);
    }
  }

  #setMember(frame: MapFrame, value: JsonValue): void {
    if (!frame.isMerge) {
      this.#members.set(frame, frame.key as YamlKey, value, frame.valueLine);
    } else {
      try {
        this.#members.merge(frame, value);
      } catch (error) {
        this.#defer(error);
      }
    }
    frame.key = undefined;
    frame.isMerge = false;
    frame.isAlias = false;
    frame.needsComma = true;
  }
}
