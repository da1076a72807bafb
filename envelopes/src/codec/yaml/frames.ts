import { DecodeError } from "../../errors.js";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../json/json.js";
import { setKey } from "../object-plan.js";
import type { YamlAnchors } from "./anchors.js";

/** A list or map that is being read. */
export type Frame = ListFrame | MapFrame;

/** A list of which some items have been read. */
export interface ListFrame {
  readonly type: "list";
  readonly items: JsonArray;
  /** Column of its dashes; undefined in brackets. */
  readonly indent: number | undefined;
  /** True if the list stands level with the map that holds it, whose next key ends it. */
  readonly isLevel: boolean;
  readonly anchor: string | undefined;
  readonly countBefore: number;
  /** True if an item in brackets has just been read, so that a comma must follow. */
  needsComma: boolean;
}

/** A map of which some members have been read. */
export interface MapFrame {
  readonly type: "map";
  readonly members: JsonObject;
  /** Column of its keys; undefined in braces. */
  readonly indent: number | undefined;
  /** True for an item of one pair, `[a: b]`, which ends with that pair. */
  readonly isPair: boolean;
  readonly anchor: string | undefined;
  readonly countBefore: number;
  /** The key whose value comes next. */
  key: string | undefined;
  /** The line of that key, if it is there already. */
  duplicateLine: number | undefined;
  /** True if the next node is that of an explicit key. */
  expectsKey: boolean;
  isMerge: boolean;
  merged: JsonObject[] | undefined;
  needsComma: boolean;
}

/** Returns a key as text, the only type of keys in JSON. Throws DecodeError for a value that has no text. */
export function keyText(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    default:
      throw new DecodeError(
        value === null
          ? "Unsupported map key of type: %!s(<nil>), key: <nil>"
          : `yaml: invalid map key: ${Array.isArray(value) ? "a list" : "a map"}`,
      );
  }
}

/** Notes the value of a merge key. Throws DecodeError when it is not a map or a list of maps. */
export function noteMerge(frame: MapFrame, value: JsonValue): void {
  for (const source of Array.isArray(value) ? value : [value]) {
    if (!isJsonObject(source)) {
      throw new DecodeError("yaml: map merge requires map or sequence of maps as the value");
    }
    frame.merged ??= [];
    frame.merged.push(source);
  }
}

/** Adds what was merged and is not there already: own keys win, then earlier sources. */
export function applyMerges(frame: MapFrame, anchors: YamlAnchors): void {
  for (const source of frame.merged ?? []) {
    for (const key of Object.keys(source)) {
      if (!Object.hasOwn(frame.members, key)) {
        anchors.spend(1);
        setKey(frame.members, key, source[key] as JsonValue);
      }
    }
  }
}
