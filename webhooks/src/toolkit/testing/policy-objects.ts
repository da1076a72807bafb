import { isJsonObject, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { type GroupVersionResource, schemaRegistry } from "@gatehouse/envelopes/schema";
import type { ParamObjects, ParamReader, ParamResource } from "@gatehouse/policies/admission-expressions";
import { BadObjectError, prepareObject } from "./prepare-object.js";
import { isClusterKind, resourceNameOf } from "./resource-names.js";

/** A kind and its resource. */
export interface KnownKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural name of the resource. */
  readonly resource: string;
  readonly namespaced: boolean;
}

/** The objects that policies read, from a list: their parameters, and namespaces. */
export class PolicyObjects implements ParamObjects {
  readonly #kinds = new Map<string, KnownKind>();
  /** Objects by resource, then by namespace and name. */
  readonly #objects = new Map<string, Map<string, JsonObject>>();

  /** The last of several objects of a name counts. `kinds`: resources that a cluster is known to serve. Definitions of custom resources in the list name others. */
  constructor(objects: readonly JsonObject[], kinds: readonly KnownKind[] = []) {
    for (const known of [...objects.flatMap(definedKinds), ...kinds]) {
      this.#kinds.set(kindKey(known.apiVersion, known.kind), known);
    }
    for (const object of objects) {
      this.#add(object);
    }
  }

  findKind(apiVersion: string, kind: string): ParamResource | undefined {
    const known = this.#kinds.get(kindKey(apiVersion, kind)) ?? builtinKind(apiVersion, kind);
    return known && { ...groupVersionOf(apiVersion), resource: known.resource, namespaced: known.namespaced };
  }

  reader({ group, version, resource, namespaced }: ParamResource): ParamReader {
    const named = this.#objects.get(resourceKey({ group, version, resource })) ?? new Map<string, JsonObject>();
    const all = [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
    return {
      get: (namespace, name) => named.get(`${namespace}/${name}`),
      list: (namespace) => all.filter((object) => namespace === "" || !namespaced || namespaceOf(object) === namespace),
    };
  }

  /**
   * Returns a namespace. One that is not in the list is taken for one that exists and has no label but its name.
   */
  namespace(name: string): JsonObject {
    const found = this.#objects.get("/v1/namespaces")?.get(`/${name}`);
    const metadata = found === undefined ? { name } : objectAt(found, "metadata");
    const labels = { ...objectAt(metadata, "labels"), "kubernetes.io/metadata.name": name };
    return { status: { phase: "Active" }, ...found, metadata: { ...metadata, labels } };
  }

  #add(object: JsonObject): void {
    const [apiVersion, kind] = [textAt(object, "apiVersion"), textAt(object, "kind")];
    let known = this.#kinds.get(kindKey(apiVersion, kind)) ?? builtinKind(apiVersion, kind);
    if (known === undefined) {
      // Without a definition, a kind has the scope that its first object shows.
      known = {
        apiVersion,
        kind,
        resource: resourceNameOf(kind),
        namespaced: textAt(object, "metadata", "namespace") !== "",
      };
      this.#kinds.set(kindKey(apiVersion, kind), known);
    }
    const key = resourceKey({ ...groupVersionOf(apiVersion), resource: known.resource });
    const objects = this.#objects.get(key) ?? new Map<string, JsonObject>();
    const namespace = known.namespaced ? namespaceOf(object) : "";
    objects.set(`${namespace}/${textAt(object, "metadata", "name")}`, prepared(object));
    this.#objects.set(key, objects);
  }
}

function kindKey(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`;
}

function resourceKey({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}/${resource}`;
}

function groupVersionOf(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf("/");
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
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

/** Returns the kinds that a CustomResourceDefinition defines; none for other objects. */
function definedKinds(object: JsonObject): readonly KnownKind[] {
  if (object["kind"] !== "CustomResourceDefinition") {
    return [];
  }
  const spec = objectAt(object, "spec");
  return listAt(spec, "versions")
    .filter(isJsonObject)
    .map((version) => ({
      apiVersion: `${textAt(spec, "group")}/${textAt(version, "name")}`,
      kind: textAt(spec, "names", "kind"),
      resource: textAt(spec, "names", "plural"),
      namespaced: textAt(spec, "scope") !== "Cluster",
    }));
}

/** Returns an object with its defaults; one that no server would take stays as it is, which is told where it is checked. */
function prepared(object: JsonObject): JsonObject {
  try {
    return prepareObject(object);
  } catch (error) {
    if (error instanceof BadObjectError) {
      return object;
    }
    throw error;
  }
}
