import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { ParamObjects, ParamReader, ParamResource } from "@gatehouse/policies/admission-expressions";
import * as builtinResources from "../lookup/builtin-resources.js";
import { resourceNameOf } from "../testing/resource-names.js";

/**
 * Returns objects as the parameters that policies find. Kinds that are not built in have namespaces if one of their objects
 * has one. An object without a namespace is found in each.
 */
export function localParams(objects: readonly JsonObject[]): ParamObjects {
  return {
    findKind: (apiVersion, kind) => resourceOf(apiVersion, kind, objects),
    reader: (resource) => readerOf(resource, objects),
  };
}

interface LocalResource extends ParamResource {
  readonly apiVersion: string;
  readonly kind: string;
}

function resourceOf(apiVersion: string, kind: string, objects: readonly JsonObject[]): LocalResource {
  const slash = apiVersion.indexOf("/");
  const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
  const builtin = Object.values(builtinResources).find(
    (known) => known.apiVersion === apiVersion && known.kind === kind,
  );
  const ofKind = objects.filter((object) => isOfKind(object, apiVersion, kind));
  return {
    apiVersion,
    kind,
    group,
    version,
    resource: builtin?.resource ?? resourceNameOf(kind),
    namespaced: builtin?.namespaced ?? ofKind.some((object) => textAt(object, "metadata", "namespace") !== ""),
  };
}

function readerOf(resource: ParamResource, objects: readonly JsonObject[]): ParamReader {
  const { apiVersion, kind } = resource as LocalResource;
  const isIn = (object: JsonObject, namespace: string): boolean => {
    const own = textAt(object, "metadata", "namespace");
    return isOfKind(object, apiVersion, kind) && (namespace === "" || own === "" || own === namespace);
  };
  return {
    get: (namespace, name) =>
      objects.find((object) => isIn(object, namespace) && textAt(object, "metadata", "name") === name),
    list: (namespace) => objects.filter((object) => isIn(object, namespace)),
  };
}

function isOfKind(object: JsonObject, apiVersion: string, kind: string): boolean {
  return object["apiVersion"] === apiVersion && object["kind"] === kind;
}
