import type { GroupVersionKind, ObjectSchema } from "@gatehouse/envelopes/schema";
import type { DiscoveredResource, DiscoveredSubresource } from "../../discovery/served-api.js";
import { type ApiOperation, type ApiParameter, type ApiPath, apiPath, type HttpMethod } from "./api-path.js";
import { title } from "./operation-names.js";
import { nameParameter, optionParameters, prettyParameter, proxyPathParameter } from "./parameters.js";
import {
  anything,
  article,
  createOperation,
  type Operations,
  operation,
  readWriteOperations,
  unauthorized,
} from "./resource-operations.js";

/** A resource in its group version, and how to find the members of an options kind. */
export interface ResourcePlace {
  readonly group: string;
  readonly version: string;
  readonly resource: DiscoveredResource;
  kindSchema(kind: GroupVersionKind): ObjectSchema | undefined;
}

/** Returns the paths of a subresource, below that of its object. `parameters` are those of the object. */
export function subresourcePaths(
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
  const all = [...readWriteOperations(operations, verbs, what), ...create];
  // As in v1.29, operations on the scale of a custom kind are told as those of this kind.
  const told = parent.custom ? all.map((each) => ({ ...each, kind: parent.kind })) : all;
  return [apiPath(path, [...own, prettyParameter], told)];
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
