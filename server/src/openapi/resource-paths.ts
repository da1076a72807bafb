import type { GroupVersionKind, ObjectSchema } from "@gatehouse/envelopes";
import { mediaTypes } from "@gatehouse/envelopes";
import { groupVersionPath } from "../discovery/root-paths.js";
import type { DiscoveredResource, DiscoveredSubresource } from "../discovery/served-api.js";
import {
  type ApiOperation,
  type ApiParameter,
  type ApiPath,
  type ApiResponse,
  apiPath,
  type HttpMethod,
} from "./api-path.js";
import { groupVersionTitle, tagOf, title } from "./operation-names.js";
import {
  createParameters,
  deleteCollectionParameters,
  deleteParameters,
  listParameters,
  nameParameter,
  namespaceParameter,
  optionParameters,
  patchParameters,
  prettyParameter,
  proxyPathParameter,
  updateParameters,
} from "./parameters.js";

/** A resource in its group version, and how to find the members of an options kind. */
export interface ResourcePlace {
  readonly group: string;
  readonly version: string;
  readonly resource: DiscoveredResource;
  kindSchema(kind: GroupVersionKind): ObjectSchema | undefined;
}

interface Operations {
  readonly kind: GroupVersionKind;
  readonly tag: string;
  /** `CoreV1` */
  readonly title: string;
  /** `NamespacedPod` or `Node`, with the name of the subresource. */
  readonly target: string;
  readonly produces: readonly string[];
  /** Built-in kinds have a protobuf form. */
  readonly custom: boolean;
}

const statusKind: GroupVersionKind = { group: "", version: "v1", kind: "Status" };
const watchEventKind: GroupVersionKind = { group: "", version: "v1", kind: "WatchEvent" };
const deleteOptionsKind: GroupVersionKind = { group: "", version: "v1", kind: "DeleteOptions" };
const anything = ["*/*"];
const unauthorized: ApiResponse = { code: 401, description: "Unauthorized" };

/** Every path of a resource and its subresources, the deprecated watch paths included. */
export function resourcePaths(place: ResourcePlace): ApiPath[] {
  const { group, version, resource } = place;
  const root = groupVersionPath(group, version);
  const custom = resource.openAPIV3Schema !== undefined;
  const operations: Operations = {
    kind: { group, version, kind: resource.kind },
    tag: tagOf(group, version),
    title: groupVersionTitle(group, version),
    target: `${resource.namespaced ? "Namespaced" : ""}${resource.kind}`,
    produces: custom ? [mediaTypes.json, mediaTypes.yaml] : [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf],
    custom,
  };
  const scope = resource.namespaced ? [namespaceParameter] : [];
  const below = resource.namespaced ? "/namespaces/{namespace}" : "";
  const collection = `${below}/${resource.resource}`;
  const one = `${collection}/{name}`;
  const name = nameParameter(resource.kind);
  const paths = [
    apiPath(`${root}${collection}`, [...scope, prettyParameter], collectionOperations(operations, resource)),
    apiPath(`${root}${one}`, [...scope, name, prettyParameter], objectOperations(operations, resource)),
    ...resource.subresources.flatMap((subresource) =>
      subresourcePaths(place, operations, subresource, `${root}${one}`, [...scope, name]),
    ),
  ];
  if (resource.verbs.includes("list") && resource.namespaced) {
    const all = { ...operations, target: `${resource.kind}ForAllNamespaces` };
    paths.push(apiPath(`${root}/${resource.resource}`, [prettyParameter], [listOperation(all)]));
  }
  if (resource.verbs.includes("watch") && !custom) {
    paths.push(...watchPaths(operations, resource, root, collection, [...scope, prettyParameter], name));
  }
  return paths.filter((path) => path.operations.length > 0);
}

function collectionOperations(operations: Operations, resource: DiscoveredResource): ApiOperation[] {
  const { verbs } = resource;
  return [
    ...(verbs.includes("list") ? [listOperation(operations)] : []),
    ...(verbs.includes("create") ? [createOperation(operations, `create ${article(resource.kind)}`)] : []),
    ...(verbs.includes("deletecollection") ? [deleteCollectionOperation(operations)] : []),
  ];
}

function objectOperations(operations: Operations, resource: DiscoveredResource): ApiOperation[] {
  const { verbs } = resource;
  const what = `the specified ${resource.kind}`;
  return [
    ...readWriteOperations(operations, verbs, what),
    ...(verbs.includes("delete") ? [deleteOperation(operations, resource)] : []),
  ];
}

/** What an object and its subresources have in common. */
function readWriteOperations(operations: Operations, verbs: readonly string[], what: string): ApiOperation[] {
  return [
    ...(verbs.includes("get") ? [readOperation(operations, `read ${what}`)] : []),
    ...(verbs.includes("update") ? [replaceOperation(operations, `replace ${what}`)] : []),
    ...(verbs.includes("patch") ? [patchOperation(operations, `partially update ${what}`)] : []),
  ];
}

function operation(
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
    consumes: anything,
    produces: operations.produces,
    ...rest,
    responses: [...rest.responses, unauthorized],
  };
}

function listOperation(operations: Operations): ApiOperation {
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

function createOperation(operations: Operations, description: string): ApiOperation {
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
    parameters: [],
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
      { code: 201, description: "Created", type: operations.kind },
    ],
  });
}

function deleteOperation(operations: Operations, resource: DiscoveredResource): ApiOperation {
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

function deleteCollectionOperation(operations: Operations): ApiOperation {
  const collection = { ...operations, target: `Collection${operations.target}` };
  const description = `delete collection of ${operations.kind.kind}`;
  return operation(collection, "delete", "delete", "deletecollection", description, {
    parameters: deleteCollectionParameters,
    body: { type: deleteOptionsKind, required: false },
    responses: [{ code: 200, description: "OK", type: statusKind }],
  });
}

function subresourcePaths(
  place: ResourcePlace,
  parent: Operations,
  subresource: DiscoveredSubresource,
  objectPath: string,
  parameters: readonly ApiParameter[],
): ApiPath[] {
  const { resource } = place;
  const { name, kind, verbs, connect } = subresource;
  const path = `${objectPath}/${name}`;
  // The parameter is named after what is connected to or written.
  const own = parameters.map((parameter) => (parameter.name === "name" ? nameParameter(kind.kind) : parameter));
  const operations = { ...parent, kind, target: `${parent.target}${title(name)}` };
  if (connect !== undefined) {
    const options = optionParameters(place.kindSchema(kind) ?? noMembers);
    const paths = [apiPath(path, own, connectOperations(operations, parent, subresource, options))];
    if (connect.takesPath) {
      const below = { ...operations, target: `${operations.target}WithPath` };
      paths.push(
        apiPath(`${path}/{path}`, [...own, proxyPathParameter], connectOperations(below, parent, subresource, options)),
      );
    }
    return paths;
  }
  if (name === "log") {
    return [apiPath(path, [...parameters, prettyParameter], [logOperation(place, operations)])];
  }
  const what = `${name} of the specified ${resource.kind}`;
  const create = verbs.includes("create")
    ? [createOperation(operations, `create ${name} of ${article(resource.kind)}`)]
    : [];
  return [apiPath(path, [...own, prettyParameter], [...readWriteOperations(operations, verbs, what), ...create])];
}

const noMembers: Pick<ObjectSchema, "properties"> = { properties: new Map() };

const connectMethods: Readonly<Record<string, readonly HttpMethod[]>> = {
  get: ["get"],
  create: ["post"],
  update: ["put"],
  patch: ["patch"],
  delete: ["delete"],
};

function connectOperations(
  operations: Operations,
  parent: Operations,
  subresource: DiscoveredSubresource,
  options: readonly ApiParameter[],
): ApiOperation[] {
  // HEAD and OPTIONS are passed on wherever every other method is.
  const methods = subresource.verbs.flatMap((verb) => connectMethods[verb] ?? []);
  const passed: HttpMethod[] = methods.includes("delete") ? [...methods, "head", "options"] : [...methods];
  return passed.map((method) => ({
    method,
    operationId: `connect${operations.title}${title(method)}${operations.target}`,
    description: `connect ${method.toUpperCase()} requests to ${subresource.name} of ${parent.kind.kind}`,
    tag: operations.tag,
    action: "connect",
    kind: operations.kind,
    consumes: anything,
    produces: anything,
    parameters: options,
    responses: [{ code: 200, description: "OK", type: "text" }, unauthorized],
  }));
}

function logOperation(place: ResourcePlace, operations: Operations): ApiOperation {
  const options = place.kindSchema({ group: "", version: "v1", kind: "PodLogOptions" });
  return operation(operations, "get", "read", "get", `read log of the specified ${place.resource.kind}`, {
    produces: ["text/plain", ...operations.produces],
    parameters: optionParameters(options ?? noMembers),
    responses: [{ code: 200, description: "OK", type: "text" }],
  });
}

const deprecation = "deprecated: use the 'watch' parameter with a list operation instead";

function watchPaths(
  operations: Operations,
  resource: DiscoveredResource,
  root: string,
  collection: string,
  parameters: readonly ApiParameter[],
  name: ApiParameter,
): ApiPath[] {
  const listDescription = `watch individual changes to a list of ${resource.kind}. ${deprecation}.`;
  const oneDescription = `watch changes to an object of kind ${resource.kind}. ${deprecation}, filtered to a single item with the 'fieldSelector' parameter.`;
  const list = (target: string): ApiOperation =>
    watchOperation({ ...operations, target }, "watchlist", listDescription);
  const paths = [
    apiPath(`${root}/watch${collection}`, parameters, [list(`${operations.target}List`)]),
    apiPath(
      `${root}/watch${collection}/{name}`,
      [...parameters, name],
      [watchOperation(operations, "watch", oneDescription)],
    ),
  ];
  if (resource.namespaced) {
    const target = `${resource.kind}ListForAllNamespaces`;
    paths.push(apiPath(`${root}/watch/${resource.resource}`, [prettyParameter], [list(target)]));
  }
  return paths;
}

function watchOperation(operations: Operations, action: string, description: string): ApiOperation {
  return operation(operations, "get", "watch", action, description, {
    produces: withStreams(operations),
    parameters: listParameters,
    responses: [{ code: 200, description: "OK", type: watchEventKind }],
  });
}

/** v1.29 says "a" and "an" by the first letter. */
function article(kind: string): string {
  return /^[AEIOU]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
