import type { JsonObject } from "@gatehouse/envelopes/json";
import { alreadyExists, type GroupResource, notFound } from "@gatehouse/envelopes/status";
import { metaOf } from "../../objects/object-meta.js";
import type { KnownResource, ObjectAccess } from "../object-access.js";

/** Makes an `ObjectAccess` over objects by resource (`apps/deployments`, `pods`), whose views are never behind. */
export function objectsInMemory(initial: Readonly<Record<string, readonly JsonObject[]>>): ObjectAccess {
  const all = new Map(Object.entries(initial).map(([resource, objects]) => [resource, [...objects]]));
  const of = ({ group, resource }: GroupResource): JsonObject[] => {
    const key = group === "" ? resource : `${group}/${resource}`;
    const objects = all.get(key) ?? [];
    all.set(key, objects);
    return objects;
  };
  const isAt = (namespace: string, name: string) => (object: JsonObject) =>
    metaOf(object).name === name && (metaOf(object).namespace ?? "") === namespace;
  const listed = (resource: GroupResource, namespace: string): readonly JsonObject[] =>
    of(resource).filter((object) => namespace === "" || metaOf(object).namespace === namespace);
  return {
    view: (resource, compile) => ({
      get(namespace, name) {
        const found = of(resource).find(isAt(namespace, name));
        return found === undefined ? undefined : compile(structuredClone(found));
      },
      list: (namespace) => listed(resource, namespace).map((object) => compile(structuredClone(object))),
      each: (namespace) => listed(resource, namespace).map((object) => () => compile(structuredClone(object))),
      catchUp: async () => {},
    }),
    reader: (resource) => ({
      get: (namespace, name) => of(resource).find(isAt(namespace, name)),
      list: (namespace) => listed(resource, namespace),
    }),
    findKind: (apiVersion, kind) => (apiVersion === "v1" ? coreKinds[kind] : undefined),
    async create(resource, object) {
      const { namespace = "", name = "" } = metaOf(object);
      if (of(resource).some(isAt(namespace, name))) {
        throw alreadyExists(resource, name);
      }
      of(resource).push(structuredClone(object));
      return object;
    },
    async update(resource, { namespace, name }, revise) {
      const objects = of(resource);
      const index = objects.findIndex(isAt(namespace, name));
      if (index < 0) {
        throw notFound(resource, name);
      }
      const revised = revise(structuredClone(objects[index] as JsonObject));
      if (revised !== undefined) {
        objects[index] = revised;
      }
    },
  };
}

/** Some kinds of `v1`. */
const coreKinds: Readonly<Record<string, KnownResource>> = {
  Node: { group: "", version: "v1", resource: "nodes", namespaced: false },
  Pod: { group: "", version: "v1", resource: "pods", namespaced: true },
};
