import type { JsonObject } from "@gatehouse/envelopes/json";
import { notFound } from "@gatehouse/envelopes/status";
import type { Verb } from "../registry/resource-definition.js";
import type { MaybePromise } from "../request/handler.js";
import type { UserInfo } from "../request/user-info.js";
import {
  type ComputedBookmark,
  type ComputedEvent,
  type ComputedList,
  type ComputedWatch,
  respondWithComputed,
  respondWithComputedEvents,
  respondWithComputedList,
} from "../verbs/reading/computed.js";
import type { RequestScope } from "../verbs/request-scope.js";
import type { VerbHandlers } from "../verbs/verb-handler.js";
import type { ApiResource } from "./api-group.js";
import { defineShape, type ResourceShape } from "./resource-shape.js";

/** The facts about a request for computed objects. */
export interface ComputedRequest {
  /** The namespace; empty for all, and for resources that are in none. */
  readonly namespace: string;
  readonly user: UserInfo;
  /** The signal that aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The facts about a watch of computed objects. */
export interface ComputedWatchRequest extends ComputedRequest, ComputedWatch {
  /** The signal that aborts when the watch is over. */
  readonly signal: AbortSignal;
}

/** A change of a computed object of the type `T`. */
export interface ObjectEvent<T extends object> extends Omit<ComputedEvent, "object" | "previous"> {
  /** The object after the change, or the last state of one that is gone. */
  readonly object: T;
  /**
   * The object before a change, under the resource version of the change: a watcher whose selectors only one of both
   * fulfils is told that the object has come or gone.
   */
  readonly previous?: T;
}

/** All computed objects of the type `T`, with the revision after which a watch goes on. */
export interface ObjectsAt<T extends object> {
  readonly items: readonly T[];
  readonly revision: number;
}

/**
 * A resource whose objects are computed when they are read. It serves the verbs for which it has a function. Objects need
 * no kind and apiVersion; a function that throws a StatusError refuses the request. `ObjectsInMemory` has functions for
 * objects that the program computes ahead and keeps.
 */
export interface ComputedResource<T extends object> extends ResourceShape {
  /** Returns an object; undefined when there is none of this name. */
  readonly get?: (name: string, request: ComputedRequest) => MaybePromise<T | undefined>;
  /**
   * Returns all objects of the namespace; with a revision where watches can go on after it. Selectors are applied by the
   * server.
   */
  readonly list?: (request: ComputedRequest) => MaybePromise<readonly T[] | ObjectsAt<T>>;
  /**
   * Yields what changes from now on, after the objects that there are as ADDED, until the signal aborts. A source whose
   * lists have revisions obeys `afterRevision`, throws `tooOldResourceVersion` for one it knows nothing of any more, and
   * yields bookmarks.
   */
  readonly watch?: (request: ComputedWatchRequest) => AsyncIterable<ObjectEvent<T> | ComputedBookmark>;
}

/**
 * Declares a resource whose objects are computed when they are read, in one version. Discovery leaves out the verbs that it
 * has no function for.
 *
 * @example
 * ```ts
 * const loads = defineComputedResource<Load>({
 *   group: "shop.example.com",
 *   version: "v1",
 *   resource: "loads",
 *   kind: "Load",
 *   namespaced: false,
 *   get: (name) => loadOf(name),
 *   list: () => machines.map(loadOf),
 * });
 * ```
 */
export function defineComputedResource<T extends object = JsonObject>(resource: ComputedResource<T>): ApiResource {
  const handlers = handlersOf(resource as ComputedResource<object>);
  const verbs = Object.keys(handlers) as Verb[];
  return { ...defineShape(resource, { storage: false, verbs, strategy: {} }), handlers: { "": handlers } };
}

function handlersOf({ get, list, watch }: ComputedResource<object>): VerbHandlers {
  return {
    ...(get && { get: (scope) => respondWithComputed(scope, () => found(scope, get)) }),
    ...(list && { list: (scope) => respondWithComputedList(scope, () => listed(scope, list)) }),
    ...(watch && {
      watch: (scope) =>
        respondWithComputedEvents(
          scope,
          (wanted) => watch({ ...requestOf(scope), ...wanted }) as AsyncIterable<ComputedEvent | ComputedBookmark>,
        ),
    }),
  };
}

async function found(scope: RequestScope, get: NonNullable<ComputedResource<object>["get"]>): Promise<JsonObject> {
  const { name } = scope.context.info;
  const object = await get(name, requestOf(scope));
  if (object === undefined) {
    throw notFound(scope.served, name);
  }
  return object as JsonObject;
}

async function listed(scope: RequestScope, list: NonNullable<ComputedResource<object>["list"]>): Promise<ComputedList> {
  const found = await list(requestOf(scope));
  return ("revision" in found ? found : { items: found }) as ComputedList;
}

function requestOf({ context }: RequestScope): ComputedRequest {
  return { namespace: context.info.namespace, user: context.user, signal: context.signal };
}
