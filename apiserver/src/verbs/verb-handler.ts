import type { MaybePromise } from "../request/handler.js";
import type { RequestScope } from "./request-scope.js";

/** Carries out one verb on a resource or one of its subresources. */
export type VerbHandler = (scope: RequestScope) => MaybePromise<void>;

/** Handlers by verb. */
export type VerbHandlers = Readonly<Record<string, VerbHandler>>;

/**
 * The handlers of kinds for which there is no general mechanism: of resources that are an operation or are computed on
 * reading, and of subresources; by resource and subresource, such as `bindings` and `pods/binding`.
 */
export type HandlersOfKinds = ReadonlyMap<string, VerbHandlers>;
