import {
  badRequest,
  methodNotAllowed,
  methodNotSupported,
  notFound,
  resourceNotFound,
  StatusError,
} from "@gatehouse/envelopes/status";
import { sendText } from "../http/responder.js";
import type { RegistrySource } from "../registry/live-registry.js";
import type { Subresource } from "../registry/resource-definition.js";
import type { ResourceRegistry } from "../registry/resource-registry.js";
import type { ServedResource } from "../registry/served-resource.js";
import type { Handler } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";
import { subresourceHandlers } from "../subresources/subresource-handlers.js";
import { deleteOne } from "../verbs/deletion/delete.js";
import { deleteCollection } from "../verbs/deletion/delete-collection.js";
import { get } from "../verbs/reading/get.js";
import { list } from "../verbs/reading/list.js";
import { watch } from "../verbs/reading/watch.js";
import { requestScope } from "../verbs/request-scope.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import { type HandlersOfKinds, handlersKey, type VerbHandler, type VerbHandlers } from "../verbs/verb-handler.js";
import { create } from "../verbs/writing/create.js";
import { patch } from "../verbs/writing/patch.js";
import { update } from "../verbs/writing/update.js";
import { checkMediaTypes } from "./check-media-types.js";

const handlers: VerbHandlers = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: deleteOne,
  deletecollection: deleteCollection,
};

/**
 * Verbs of reading requests. HEAD counts as one of them for authorizers, and any method on a `/watch/` path as watch; but
 * for custom kinds, only GET is answered.
 */
const readingVerbs = new Set(["get", "list", "watch"]);

/** Verbs that need a name in the path; the others must not have one. */
const verbsOnOne = new Set(["get", "update", "patch", "delete"]);

/** Finds the resource, the subresource and the handler of a resource request. */
export function dispatchResource(
  liveRegistry: RegistrySource,
  environment: VerbEnvironment,
  ofKinds: HandlersOfKinds,
): Handler {
  const findSubresource = subresourceHandlers(ofKinds);
  const handlersOf = (served: ServedResource): VerbHandlers | undefined =>
    served.isStored ? handlers : ofKinds.get(handlersKey(served, ""));
  const handlerOfResource = (context: RequestContext, served: ServedResource): VerbHandler => {
    const { info } = context;
    if (served.definition.custom?.isTerminating === true && info.verb === "create") {
      throw terminatingDefinition(served, info.verb);
    }
    if (info.parts.length > 2) {
      throw resourceNotFound();
    }
    if (served.definition.custom !== undefined) {
      return handlerOfCustomKind(info, served, handlersOf(served));
    }
    const known = handlersOf(served);
    const handlerOf = (verb: string): VerbHandler | undefined =>
      served.definition.verbs.some((offered) => offered === verb) ? known?.[verb] : undefined;
    const handler = handlerOf(info.verb);
    if (handler !== undefined && fitsPath(context, served)) {
      return handler;
    }
    throw isPathOf(served, (verb) => handlerOf(verb) !== undefined, info) ? methodNotAllowed() : resourceNotFound();
  };
  const handlerOfSubresource = (
    context: RequestContext,
    served: ServedResource,
    connect: Subresource["connect"],
  ): VerbHandler => {
    const { info } = context;
    const custom = served.definition.custom !== undefined;
    const isProxy = connect?.takesPath === true;
    // Paths of `/watch/` lead to no subresource, whatever the method.
    const mayFind = custom || (info.verb !== "watch" && (info.rest === "" || isProxy));
    // OPTIONS has no verb; whoever may be asked by any method may be asked by it.
    const verb = isProxy && context.method === "OPTIONS" ? "get" : info.verb;
    const handler = mayFind ? findSubresource(served, info.subresource, verb) : "notFound";
    if (handler === "notFound") {
      if (custom) {
        throw notFound(served, info.name);
      }
      throw resourceNotFound();
    }
    if (handler === "notAllowed") {
      throw custom ? methodNotSupported(served, info.verb) : methodNotAllowed();
    }
    return handler;
  };
  return (context) => {
    const { info } = context;
    // A request keeps what was served when it began: from here on it knows its resource, and asks no more.
    const registry = liveRegistry.current;
    const served = registry.find(info.group, info.version, info.resource);
    if (!isServedPath(registry, info) || isBesideDefinitions(registry, info, served)) {
      return sendText(context, 404, "404 page not found\n");
    }
    if (served === undefined || info.verb === "proxy") {
      throw resourceNotFound();
    }
    checkScope(context, served);
    const isCustom = served.definition.custom !== undefined;
    if (isCustom) {
      // Of custom kinds v1.29 warns before it looks for what is asked of them.
      tellDeprecation(environment, context, served);
    }
    const subresource = subresourceOf(served, info);
    const connect = subresource?.connect;
    const handler =
      info.subresource === "" ? handlerOfResource(context, served) : handlerOfSubresource(context, served, connect);
    const passesHead = isCustom || connect?.takesPath === true;
    if (readingVerbs.has(info.verb) && context.method !== "GET" && !passesHead) {
      throw methodNotAllowed();
    }
    if (!isCustom && connect === undefined) {
      // What is passed on is not ours to read. Custom resources have no routes of their own in v1.29: their handlers look
      // at media types alone.
      checkMediaTypes(context, subresource);
    }
    context.isKnownResource = true;
    if (!isCustom) {
      tellDeprecation(environment, context, served);
    }
    return handler(requestScope(environment, context, served));
  };
}

function tellDeprecation(environment: VerbEnvironment, context: RequestContext, served: ServedResource): void {
  const { deprecation } = served;
  if (deprecation === undefined) {
    return;
  }
  context.warn(deprecation.warning);
  context.audit?.annotateEnd("k8s.io/deprecated", "true");
  if (deprecation.removedRelease !== "") {
    context.audit?.annotateEnd("k8s.io/removed-release", deprecation.removedRelease);
  }
  environment.metrics.deprecatedApi(served, context.info.subresource, deprecation.removedRelease);
}

function subresourceOf({ definition }: ServedResource, { subresource }: RequestInfo): Subresource | undefined {
  return subresource === "" ? undefined : definition.subresources.find(({ name }) => name === subresource);
}

/**
 * Returns the handler of a custom kind, which v1.29 does not route: a create may have a name in the path, and an update
 * may lack one.
 */
function handlerOfCustomKind(info: RequestInfo, served: ServedResource, known: VerbHandlers | undefined): VerbHandler {
  const handler = known?.[info.verb];
  if (handler === undefined) {
    throw methodNotSupported(served, info.verb);
  }
  if (info.name === "" && verbsOnOne.has(info.verb)) {
    throw badRequest("name must be provided");
  }
  return handler;
}

/** Returns the 405 for creating objects of a kind whose definition is being deleted. */
function terminatingDefinition({ group, resource }: ServedResource, verb: string): StatusError {
  const message = `${verb} not allowed while custom resource definition is terminating`;
  return new StatusError(405, "MethodNotAllowed", message, { group, kind: resource });
}

/**
 * Reports whether a path is below a group that is served, under its own prefix: `//api/v1` and `/apis//v1` lead
 * nowhere.
 */
function isServedPath(registry: ResourceRegistry, info: RequestInfo): boolean {
  const prefix = info.group === "" ? "/api/" : "/apis/";
  return info.path.startsWith(prefix) && registry.servesGroup(info.group);
}

/**
 * Reports whether no definition serves a request for custom resources; v1.29 passes it on to a server that knows
 * nothing.
 */
function isBesideDefinitions(
  registry: ResourceRegistry,
  info: RequestInfo,
  served: ServedResource | undefined,
): boolean {
  if (served === undefined) {
    return registry.group(info.group)?.isCustom === true;
  }
  const inNamespace = info.namespace !== "";
  return (
    served.definition.custom !== undefined &&
    (served.namespaced ? !inNamespace && info.verb !== "list" && info.verb !== "watch" : inNamespace)
  );
}

/** Throws 404 for a cluster-scoped resource inside a namespace, and for a single namespaced object outside of one. */
function checkScope(context: RequestContext, served: ServedResource): void {
  const { info } = context;
  const inNamespace = info.namespace !== "" && info.resource !== "namespaces";
  if (info.resource === "namespaces" && info.namespace !== "" && info.namespace !== info.parts[1]) {
    // A namespace is not inside of another one, nor of itself.
    throw resourceNotFound();
  }
  if (served.namespaced ? hasName(info) && !inNamespace : inNamespace) {
    throw resourceNotFound();
  }
}

/**
 * Reports whether a resource has the path, for any of its verbs: one whose objects can only be created, such as a review, has no
 * path of an object, nor one of all namespaces.
 */
function isPathOf(served: ServedResource, offers: (verb: string) => boolean, info: RequestInfo): boolean {
  if (hasName(info)) {
    return [...verbsOnOne].some(offers);
  }
  return !served.namespaced || info.namespace !== "" || offers("list");
}

function hasName({ parts }: RequestInfo): boolean {
  return parts[1] !== undefined && parts[1] !== "";
}

/**
 * Reports whether the path has a name if the verb needs one, and a namespace if objects are created or a collection is
 * deleted.
 */
function fitsPath(context: RequestContext, served: ServedResource): boolean {
  const { info } = context;
  if (info.verb === "watch") {
    return true;
  }
  if (verbsOnOne.has(info.verb) !== hasName(info)) {
    return false;
  }
  const sweeps = info.verb === "create" || info.verb === "deletecollection";
  return !(sweeps && served.namespaced && info.namespace === "");
}
