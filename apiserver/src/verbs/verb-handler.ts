import { type GroupResource, groupResourceText } from "@gatehouse/envelopes/status";
import type { MaybePromise } from "../request/handler.js";
import type { RequestScope } from "./request-scope.js";

/** Carries out one verb on a resource or one of its subresources. */
export type VerbHandler = (scope: RequestScope) => MaybePromise<void>;

/** Handlers by verb. */
export type VerbHandlers = Readonly<Record<string, VerbHandler>>;

/**
 * The handlers of kinds for which there is no general mechanism: of resources that are an operation or are computed on
 * reading, and of subresources; by group, resource and subresource, such as `bindings`, `pods/binding` and
 * `tokenreviews.authentication.k8s.io` (see `handlersKey`).
 */
export type HandlersOfKinds = ReadonlyMap<string, VerbHandlers>;

/** Returns the key of handlers in `HandlersOfKinds`; `subresource` is empty for those of the resource itself. */
export function handlersKey(resource: GroupResource, subresource: string): string {
  const name = groupResourceText(resource);
  return subresource === "" ? name : `${name}/${subresource}`;
}
