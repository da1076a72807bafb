import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import type { Lookup } from "../lookup/lookup.js";
import type { ObjectKey, ReadableResource } from "../lookup/readable-resource.js";

/** Returns a lookup that finds the given objects by apiVersion and kind. */
export function lookupIn(objects: readonly JsonObject[]): Lookup {
  const ofKind = ({ apiVersion, kind }: ReadableResource<unknown>): readonly JsonObject[] =>
    objects.filter((object) => object["apiVersion"] === apiVersion && object["kind"] === kind);
  const metadataOf = ({ metadata }: JsonObject): JsonObject => (isJsonObject(metadata) ? metadata : {});
  const isIn = (object: JsonObject, namespace: string): boolean =>
    (metadataOf(object)["namespace"] ?? "") === namespace;
  return {
    get: <T>(resource: ReadableResource<T>, { namespace = "", name }: ObjectKey) =>
      ofKind(resource).find((object) => isIn(object, namespace) && metadataOf(object)["name"] === name) as
        | T
        | undefined,
    list: <T>(resource: ReadableResource<T>, namespace?: string) =>
      ofKind(resource).filter(
        (object) => namespace === undefined || isIn(object, namespace),
      ) as unknown as readonly T[],
  };
}
