import {
  isJsonObject,
  isSameJson,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  textAt,
} from "@gatehouse/envelopes/json";
import type { ForeignSpec } from "../../discovery/served-api.js";
import { yieldSharedWork } from "../../scheduling/shared-work.js";
import { reachable, renamed } from "./foreign-spec.js";

/** The documents of other servers, made one with that of this server. */
export interface MergedForeignSpecs {
  /** Path items that this server does not have. */
  readonly paths: ReadonlyMap<string, JsonObject>;
  /** Definitions that this server does not have, and its own with kinds of other servers added. */
  readonly definitions: ReadonlyMap<string, JsonObject>;
}

/** The document that others are merged into. */
export interface OwnSpec {
  hasPath(path: string): boolean;
  /** Returns a definition of the document; undefined for a name that it does not have. */
  definition(name: string): JsonObject | undefined;
}

const kindsKey = "x-kubernetes-group-version-kind";

/**
 * Merges documents in their order, as v1.29 does: a path that is there already stays as it is. A definition of the same
 * name and content is shared, and its list of kinds is the union; one of other content becomes `NAME_v2`, `NAME_v3`.
 * Descriptions do not count as content, since every server words its own.
 */
export async function mergeForeignSpecs(own: OwnSpec, specs: readonly ForeignSpec[]): Promise<MergedForeignSpecs> {
  const paths = new Map<string, JsonObject>();
  const definitions = new Map<string, JsonObject>();
  const existing = (name: string): JsonObject | undefined => definitions.get(name) ?? own.definition(name);
  for (const spec of specs) {
    const added = [...spec.paths].filter(([path]) => !paths.has(path) && !own.hasPath(path));
    const needed = reachable(
      added.map(([, item]) => item),
      (name) => spec.definitions.get(name),
    );
    const names = newNames(needed, existing);
    for (const [name, definition] of needed) {
      const newName = names.get(name) ?? name;
      const known = existing(newName);
      const content = renamed(definition, names);
      if (known === undefined) {
        definitions.set(newName, content);
      } else if (addsKinds(known, content)) {
        definitions.set(newName, withKindsOf(known, content));
      }
      await yieldSharedWork();
    }
    for (const [path, item] of added) {
      paths.set(path, renamed(item, names));
      await yieldSharedWork();
    }
  }
  return { paths, definitions };
}

/** Returns the new names of definitions whose names stand for something else. */
function newNames(
  needed: ReadonlyMap<string, JsonObject>,
  existing: (name: string) => JsonObject | undefined,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const [name, definition] of needed) {
    const isFree = (candidate: string, known: JsonObject | undefined): boolean =>
      known === undefined ? !taken.has(candidate) && (candidate === name || !needed.has(candidate)) : false;
    let candidate = name;
    for (let version = 2; ; version++) {
      const known = existing(candidate);
      if (isFree(candidate, known) || (known !== undefined && isSameDefinition(known, definition))) {
        break;
      }
      candidate = `${name}_v${version}`;
    }
    taken.add(candidate);
    if (candidate !== name) {
      names.set(name, candidate);
    }
  }
  return names;
}

function isSameDefinition(a: JsonObject, b: JsonObject): boolean {
  return isSameJson(contentOf(a, true), contentOf(b, true));
}

/** Returns a schema without descriptions, and a definition without its list of kinds. */
function contentOf(value: JsonValue, isDefinition = false): JsonValue {
  if (Array.isArray(value)) {
    return value.map((item) => contentOf(item));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !(key === "description" && typeof member === "string"))
      .filter(([key]) => !(isDefinition && key === kindsKey))
      .flatMap(([key, member]) => (member === undefined ? [] : [[key, contentOf(member)]])),
  );
}

function kindsOf(definition: JsonObject): JsonArray {
  const kinds = definition[kindsKey];
  return Array.isArray(kinds) ? kinds : [];
}

function addsKinds(known: JsonObject, other: JsonObject): boolean {
  const present = kindsOf(known);
  return kindsOf(other).some((kind) => !present.some((item) => isSameJson(item, kind)));
}

function withKindsOf(known: JsonObject, other: JsonObject): JsonObject {
  const present = kindsOf(known);
  const more = kindsOf(other).filter((kind) => !present.some((item) => isSameJson(item, kind)));
  const all = [...present, ...more].sort((a, b) => (keyOfKind(a) < keyOfKind(b) ? -1 : 1));
  return { ...known, [kindsKey]: all };
}

function keyOfKind(kind: JsonValue): string {
  return `${textAt(kind, "group")}/${textAt(kind, "version")}.${textAt(kind, "kind")}`;
}
