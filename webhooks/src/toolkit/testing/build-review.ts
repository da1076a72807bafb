import { randomUUID } from "node:crypto";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionKind } from "@gatehouse/envelopes/schema";
import type { gatehouseadmissionV1alpha1 } from "@gatehouse/envelopes/types";
import type { KnownKind } from "./known-kind.js";
import { BadObjectError, prepareObject } from "./prepare-object.js";
import { isClusterKind, resourceNameOf } from "./resource-names.js";
import { validateKind } from "./validate-kind.js";

/** A request as a test describes it: an object is enough. `existing` are the objects that lookups find. */
export type GivenRequest = gatehouseadmissionV1alpha1.HookCaseRequest;

const optionKinds: Readonly<Record<string, string>> = {
  CREATE: "CreateOptions",
  UPDATE: "UpdateOptions",
  DELETE: "DeleteOptions",
};

/** The kinds of the objects of requests. */
export interface RequestKinds {
  /** Returns an object as a server reads it. Throws BadObjectError for one that no server would accept. */
  prepare(object: JsonObject): JsonObject;
  /** Returns a kind that is not built in; undefined if nothing is known of it. */
  defined(apiVersion: string, kind: string): KnownKind | undefined;
}

const builtinKinds: RequestKinds = { prepare: prepareObject, defined: () => undefined };

/**
 * Returns the AdmissionReview (v1) that a server would send. Throws BadObjectError for an object that no server would
 * accept.
 */
export function buildReview(given: GivenRequest, kinds: RequestKinds = builtinKinds): JsonObject {
  const object = given.object ? kinds.prepare(given.object) : undefined;
  const oldObject = given.oldObject ? kinds.prepare(given.oldObject) : undefined;
  const shown = object ?? oldObject;
  if (shown === undefined) {
    throw new BadObjectError("a request needs an object, or an oldObject if it is a deletion");
  }
  const operation =
    given.operation ?? (oldObject === undefined ? "CREATE" : object === undefined ? "DELETE" : "UPDATE");
  const kindName = String(shown["kind"]);
  const apiVersion = String(shown["apiVersion"]);
  const slash = apiVersion.indexOf("/");
  const group = apiVersion.slice(0, Math.max(slash, 0));
  const version = apiVersion.slice(slash + 1);
  const kind = { group, version, kind: kindName };
  const defined = kinds.defined(apiVersion, kindName);
  if (given.resource === undefined && defined === undefined) {
    // Its name is made of the kind: a misspelt one would be that of a resource about which no hook is asked.
    validateKind(apiVersion, kindName);
  }
  const resource =
    given.resource === undefined
      ? { group, version, resource: defined?.resource ?? resourceNameOf(kindName) }
      : parseResource(given.resource, kind);
  const metadata = (shown["metadata"] ?? {}) as JsonObject;
  const isNamespace = apiVersion === "v1" && kindName === "Namespace";
  // Servers name a namespace in its own request.
  const isClusterScoped = defined === undefined ? isClusterKind(kindName) : !defined.namespaced;
  const ownNamespace = isNamespace ? metadata["name"] : isClusterScoped ? "" : "default";
  const namespace = given.namespace ?? String(metadata["namespace"] ?? ownNamespace ?? "");
  const placed = (value: JsonObject | undefined): JsonObject | null =>
    (isNamespace ? value : inNamespace(value, namespace)) ?? null;
  const subResource = given.subResource ?? "";
  const optionKind = optionKinds[operation];
  return {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: randomUUID(),
      kind,
      resource,
      ...(subResource === "" ? {} : { subResource, requestSubResource: subResource }),
      requestKind: kind,
      requestResource: resource,
      ...(metadata["name"] === undefined ? {} : { name: metadata["name"] }),
      ...(namespace === "" ? {} : { namespace }),
      operation,
      userInfo: (given.userInfo ?? { username: "somebody" }) as unknown as JsonObject,
      object: placed(object),
      oldObject: placed(oldObject),
      dryRun: given.dryRun === true,
      options: given.options ?? (optionKind === undefined ? null : { kind: optionKind, apiVersion: "meta.k8s.io/v1" }),
    },
  };
}

/**
 * Parses `deployments.v1.apps`, as kubectl does (`pods.v1` is in the core group), or `deployments` in the group of the
 * object.
 */
function parseResource(
  text: string,
  { group, version }: GroupVersionKind,
): Record<"group" | "version" | "resource", string> {
  const [resource = "", namedVersion, ...namedGroup] = text.split(".");
  return namedVersion === undefined
    ? { group, version, resource }
    : { group: namedGroup.join("."), version: namedVersion, resource };
}

/** Returns the object with the namespace of the request, which servers set before admission. */
function inNamespace(object: JsonObject | undefined, namespace: string): JsonObject | undefined {
  if (object === undefined || namespace === "") {
    return object;
  }
  return { ...object, metadata: { ...((object["metadata"] ?? {}) as JsonObject), namespace } };
}
