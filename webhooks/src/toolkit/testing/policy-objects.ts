import { type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { groupVersionOf, schemaRegistry } from "@gatehouse/envelopes/schema";
import type { ParamObjects, ParamReader, ParamResource } from "@gatehouse/policies/admission-expressions";
import type { RequestKinds } from "./build-review.js";
import { CustomKind, customKindsOf, isDefinition } from "./custom-kind.js";
import type { KnownKind } from "./known-kind.js";
import { BadObjectError, prepareObject, refuseUnknown } from "./prepare-object.js";
import { isClusterKind, resourceNameOf } from "./resource-names.js";

/** The objects that policies read, from a list: their parameters, and namespaces. */
export class PolicyObjects implements ParamObjects, RequestKinds {
  /** Kinds that a definition or a cluster is known to serve. */
  readonly #defined: ReadonlyMap<string, KnownKind>;
  /** Objects by kind, as they were given. */
  readonly #given = new Map<string, JsonObject[]>();
  readonly #readers = new Map<string, ParamReader>();

  /**
   * Takes a list; the last of several objects of a name counts. `kinds`: resources that a cluster is known to serve.
   * Definitions of custom resources in the list name others.
   */
  constructor(objects: readonly JsonObject[], kinds: readonly KnownKind[] = []) {
    const defined = [...kinds, ...objects.flatMap(usableKindsOf)];
    this.#defined = new Map(defined.map((known) => [kindKey(known.apiVersion, known.kind), known]));
    for (const object of objects) {
      const key = kindKey(textAt(object, "apiVersion"), textAt(object, "kind"));
      const list = this.#given.get(key);
      if (list === undefined) {
        this.#given.set(key, [object]);
      } else {
        list.push(object);
      }
    }
  }

  findKind(apiVersion: string, kind: string): KnownResource | undefined {
    const known = this.defined(apiVersion, kind) ?? builtinKind(apiVersion, kind) ?? this.#shown(apiVersion, kind);
    return known && { ...groupVersionOf(apiVersion), ...known };
  }

  reader(resource: ParamResource): ParamReader {
    const { kind, apiVersion } = resource as KnownResource;
    const key = kindKey(apiVersion, kind);
    let reader = this.#readers.get(key);
    if (reader === undefined) {
      const objects = (this.#given.get(key) ?? []).map((object) => this.#prepared(object));
      reader = readerOf(objects, resource.namespaced);
      this.#readers.set(key, reader);
    }
    return reader;
  }

  /** Returns a kind that a definition or the cluster names. */
  defined(apiVersion: string, kind: string): KnownKind | undefined {
    return this.#defined.get(kindKey(apiVersion, kind));
  }

  /** Returns a kind with its schema; undefined if no definition in the list names it. */
  custom(apiVersion: string, kind: string): CustomKind | undefined {
    const known = this.defined(apiVersion, kind);
    return known instanceof CustomKind ? known : undefined;
  }

  /** Returns an object as a server reads it, as `prepareObject` does, and by definitions in the list. Throws BadObjectError. */
  prepare(object: JsonObject): JsonObject {
    const custom = this.custom(textAt(object, "apiVersion"), textAt(object, "kind"));
    if (custom === undefined) {
      return prepareObject(object);
    }
    const read = custom.read(object);
    refuseUnknown(custom.kind, read.unknownFields);
    return read.object;
  }

  /** Returns a namespace. One that is not in the list is taken for one that exists and has no label but its name. */
  namespace(name: string): JsonObject {
    const found = this.#given.get("v1 Namespace")?.findLast((object) => textAt(object, "metadata", "name") === name);
    const metadata = found === undefined ? { name } : objectAt(found, "metadata");
    const labels = { ...objectAt(metadata, "labels"), "kubernetes.io/metadata.name": name };
    return { status: { phase: "Active" }, ...found, metadata: { ...metadata, labels } };
  }

  /** Returns an object with its defaults; one that no server would take stays as it is, which is told where it is checked. */
  #prepared(object: JsonObject): JsonObject {
    try {
      return this.prepare(object);
    } catch (error) {
      if (error instanceof BadObjectError) {
        return object;
      }
      throw error;
    }
  }

  /** Returns a kind without a definition, with the scope that its first object shows; undefined without objects. */
  #shown(apiVersion: string, kind: string): KnownKind | undefined {
    const [first] = this.#given.get(kindKey(apiVersion, kind)) ?? [];
    const namespaced = textAt(first, "metadata", "namespace") !== "";
    return first && { apiVersion, kind, resource: resourceNameOf(kind), namespaced };
  }
}

/** A resource with its kind, by which objects of a list are found. */
type KnownResource = ParamResource & KnownKind;

function readerOf(given: readonly JsonObject[], namespaced: boolean): ParamReader {
  const keyOf = (object: JsonObject): string =>
    `${namespaced ? namespaceOf(object) : ""}/${textAt(object, "metadata", "name")}`;
  const named = new Map(given.map((object) => [keyOf(object), object]));
  const all = [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  return {
    get: (namespace, name) => named.get(`${namespace}/${name}`),
    list: (namespace) => (namespace === "" ? all : all.filter((object) => namespaceOf(object) === namespace)),
  };
}

function kindKey(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`;
}

/** Returns the namespace of an object, which is `default` for manifests that name none. */
function namespaceOf(object: JsonObject): string {
  return textAt(object, "metadata", "namespace") || "default";
}

function builtinKind(apiVersion: string, kind: string): KnownKind | undefined {
  const { group, version } = groupVersionOf(apiVersion);
  return schemaRegistry().kindSchema(group, version, kind) === undefined
    ? undefined
    : { apiVersion, kind, resource: resourceNameOf(kind), namespaced: !isClusterKind(kind) };
}

/** The kinds of definitions that lists have had before: their schemas are compiled once. */
const knownKinds = new WeakMap<JsonObject, readonly CustomKind[]>();

/** Returns the kinds of a definition that a server would take; of a faulty one none, which is told where it is checked. */
function usableKindsOf(object: JsonObject): readonly CustomKind[] {
  if (!isDefinition(object)) {
    return [];
  }
  let kinds = knownKinds.get(object);
  if (kinds === undefined) {
    kinds = compiledKindsOf(object);
    knownKinds.set(object, kinds);
  }
  return kinds;
}

function compiledKindsOf(object: JsonObject): readonly CustomKind[] {
  try {
    const kinds = customKindsOf(object);
    return kinds.some(({ problems }) => problems.length > 0) ? [] : kinds;
  } catch (error) {
    if (error instanceof BadObjectError) {
      return [];
    }
    throw error;
  }
}
