import { mediaTypes } from "@gatehouse/envelopes/names";
import type { GroupVersionKind } from "@gatehouse/envelopes/schema";
import type { DiscoveredResource } from "../../discovery/served-api.js";
import type { ApiOperation, ApiResponse, HttpMethod } from "./api-path.js";
import {
  createParameters,
  deleteCollectionParameters,
  deleteParameters,
  listParameters,
  patchParameters,
  readParameters,
  updateParameters,
} from "./parameters.js";

/** The properties that operations on one resource or subresource share. */
export interface Operations {
  readonly kind: GroupVersionKind;
  readonly tag: string;
  /** The title of the group version: `CoreV1`. */
  readonly title: string;
  /** The target in operation ids: `NamespacedPod` or `Node`, with the name of the subresource. */
  readonly target: string;
  readonly produces: readonly string[];
  /** True for custom kinds, which have no protobuf form. */
  readonly custom: boolean;
}

const statusKind: GroupVersionKind = { group: "", version: "v1", kind: "Status" };
const watchEventKind: GroupVersionKind = { group: "", version: "v1", kind: "WatchEvent" };
const deleteOptionsKind: GroupVersionKind = { group: "", version: "v1", kind: "DeleteOptions" };
/** The media type for any body. */
export const anything = ["*/*"];
/** The answer to a client that cannot be authenticated; the only error that v1.29 lists. */
export const unauthorized: ApiResponse = { code: 401, description: "Unauthorized" };

/** Returns the operations that an object and its subresources have in common. */
export function readWriteOperations(operations: Operations, verbs: readonly string[], what: string): ApiOperation[] {
  return [
    ...(verbs.includes("get") ? [readOperation(operations, `read ${what}`)] : []),
    ...(verbs.includes("update") ? [replaceOperation(operations, `replace ${what}`)] : []),
    ...(verbs.includes("patch") ? [patchOperation(operations, `partially update ${what}`)] : []),
  ];
}

/** Returns an operation with the properties that all operations on resources share. `idVerb` starts its id. */
export function operation(
  operations: Operations,
  method: HttpMethod,
  idVerb: string,
  action: string,
  description: string,
  rest: Pick<ApiOperation, "parameters" | "responses"> & Partial<ApiOperation>,
): ApiOperation {
  return {
    method,
    operationId: `${idVerb}${operations.title}${operations.target}`,
    description,
    tag: operations.tag,
    action,
    kind: operations.kind,
    consumes: operations.custom ? operations.produces : anything,
    produces: operations.produces,
    ...rest,
    responses: [...rest.responses, unauthorized],
  };
}

/** Returns the operation of GET on a collection. */
export function listOperation(operations: Operations): ApiOperation {
  const listKind = { ...operations.kind, kind: `${operations.kind.kind}List` };
  return operation(operations, "get", "list", "list", `list or watch objects of kind ${operations.kind.kind}`, {
    produces: withStreams(operations),
    parameters: listParameters,
    responses: [{ code: 200, description: "OK", type: listKind }],
  });
}

function withStreams(operations: Operations): readonly string[] {
  return operations.custom
    ? operations.produces
    : [...operations.produces, mediaTypes.jsonStream, mediaTypes.protobufStream];
}

/** Returns the operation of POST on a collection or a subresource. */
export function createOperation(operations: Operations, description: string): ApiOperation {
  return operation(operations, "post", "create", "post", description, {
    parameters: createParameters,
    body: { type: operations.kind, required: true },
    responses: [
      { code: 200, description: "OK", type: operations.kind },
      { code: 201, description: "Created", type: operations.kind },
      { code: 202, description: "Accepted", type: operations.kind },
    ],
  });
}

function readOperation(operations: Operations, description: string): ApiOperation {
  return operation(operations, "get", "read", "get", description, {
    parameters: operations.custom ? readParameters : [],
    responses: [{ code: 200, description: "OK", type: operations.kind }],
  });
}

function replaceOperation(operations: Operations, description: string): ApiOperation {
  return operation(operations, "put", "replace", "put", description, {
    parameters: updateParameters,
    body: { type: operations.kind, required: true },
    responses: [
      { code: 200, description: "OK", type: operations.kind },
      { code: 201, description: "Created", type: operations.kind },
    ],
  });
}

function patchOperation(operations: Operations, description: string): ApiOperation {
  return operation(operations, "patch", "patch", "patch", description, {
    consumes: [
      mediaTypes.jsonPatch,
      mediaTypes.mergePatch,
      ...(operations.custom ? [] : [mediaTypes.strategicMergePatch]),
      mediaTypes.applyPatch,
    ],
    parameters: patchParameters,
    body: { type: "patch", required: true },
    responses: [
      { code: 200, description: "OK", type: operations.kind },
      ...(operations.custom ? [] : [{ code: 201, description: "Created", type: operations.kind }]),
    ],
  });
}

/** Returns the operation of DELETE on one object. */
export function deleteOperation(operations: Operations, resource: DiscoveredResource): ApiOperation {
  const type = resource.returnsDeletedObject === true ? operations.kind : statusKind;
  return operation(operations, "delete", "delete", "delete", `delete ${article(resource.kind)}`, {
    parameters: deleteParameters,
    body: { type: deleteOptionsKind, required: false },
    responses: [
      { code: 200, description: "OK", type },
      { code: 202, description: "Accepted", type },
    ],
  });
}

/** Returns the operation of DELETE on a collection. */
export function deleteCollectionOperation(operations: Operations): ApiOperation {
  const collection = { ...operations, target: `Collection${operations.target}` };
  const description = `delete collection of ${operations.kind.kind}`;
  const responses = [{ code: 200, description: "OK", type: statusKind }];
  // Of custom kinds v1.29 tells of what chooses the objects alone.
  return operation(collection, "delete", "delete", "deletecollection", description, {
    ...(operations.custom
      ? { parameters: listParameters }
      : { parameters: deleteCollectionParameters, body: { type: deleteOptionsKind, required: false } }),
    responses,
  });
}

/** Returns the operation of GET on one of the deprecated paths below `/watch/`. */
export function watchOperation(operations: Operations, action: string, description: string): ApiOperation {
  return operation(operations, "get", "watch", action, description, {
    produces: withStreams(operations),
    parameters: listParameters,
    responses: [{ code: 200, description: "OK", type: watchEventKind }],
  });
}

/** Returns "a" or "an", which v1.29 chooses by the first letter. */
export function article(kind: string): string {
  return /^[AEIOU]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
