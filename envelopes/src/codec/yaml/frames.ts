import type { JsonArray, JsonObject } from "../../json/json.js";
import type { YamlKey } from "./yaml-key.js";

/** A list or map that is being read. */
export type Frame = ListFrame | MapFrame;

/** The part of a list or map that is known when it is opened. */
interface FrameStart {
  /** Column of its dashes or keys; undefined in brackets. */
  readonly indent: number | undefined;
  readonly anchor: string | undefined;
  /** The number of values in the document when it was opened, with it: its own size is counted from there. */
  readonly countBefore: number;
  /** Column of the map by indentation of which the list or map in brackets may be the first key; undefined for most. */
  readonly keyColumn: number | undefined;
}

/** A list of which some items have been read. */
export interface ListFrame extends FrameStart {
  readonly type: "list";
  readonly items: JsonArray;
  /** True if the list stands level with the map that holds it, whose next key ends it. */
  readonly isLevel: boolean;
  /** True if an item in brackets has just been read, so that a comma must follow. */
  needsComma: boolean;
}

/** A map of which some members have been read. */
export interface MapFrame extends FrameStart {
  readonly type: "map";
  readonly members: JsonObject;
  /** True for an item of one pair, `[a: b]`, which ends with that pair. */
  readonly isPair: boolean;
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
  /** True if a member in braces has just been read, so that a comma must follow. */
  needsComma: boolean;
}

/** Returns a list without items. */
export function listFrame({ indent, anchor, countBefore, keyColumn }: FrameStart, isLevel: boolean): ListFrame {
  return { type: "list", items: [], indent, isLevel, anchor, countBefore, keyColumn, needsComma: false };
}

/** Returns a map without members. `mayBeMerged` says whether the lines of its values are noted. */
export function mapFrame(
  { indent, anchor, countBefore, keyColumn }: FrameStart,
  isPair: boolean,
  mayBeMerged: boolean,
): MapFrame {
  return {
    type: "map",
    members: {},
    indent,
    isPair,
    anchor,
    countBefore,
    keyColumn,
    key: undefined,
    hasFlowKey: false,
    valueLine: 0,
    lines: mayBeMerged ? new Map() : undefined,
    expectsKey: false,
    isMerge: false,
    isAlias: false,
    needsComma: false,
  };
}
