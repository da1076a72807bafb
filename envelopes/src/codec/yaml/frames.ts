import type { JsonArray, JsonObject } from "../../json/json.js";
import type { YamlKey } from "./yaml-key.js";

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
  /** Column of the map by indentation of which the list in brackets may be the first key; undefined for most. */
  readonly keyColumn: number | undefined;
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
  /** Column of the map by indentation of which the map in braces may be the first key; undefined for most. */
  keyColumn: number | undefined;
  /** True if a key in brackets is being read, behind which a colon must follow on the same line. */
  hasFlowKey: boolean;
  /** The key whose value comes next. */
  key: YamlKey | undefined;
  /** The line of that value, from 0; of the key where the value is empty. */
  valueLine: number;
  /** Lines of the values by key, for a map that may be merged into others; undefined for other maps. */
  readonly lines: Map<string, number> | undefined;
  /** True if the next node is that of an explicit key. */
  expectsKey: boolean;
  /** True if the members of the value that comes next are merged into this map. */
  isMerge: boolean;
  /** True if that value is an alias. */
  isAlias: boolean;
  needsComma: boolean;
}
