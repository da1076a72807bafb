import type { ServedResource } from "../registry/served-resource.js";
import type { StrategyContext } from "../registry/strategies/strategy-context.js";
import type { Caller } from "../request/caller.js";
import type { RequestContext } from "../request/request-context.js";
import type { VerbEnvironment } from "./verb-environment.js";

/** An operation on a resource: its originator, the resource, and the parts of the server that carry it out. */
export interface OperationScope {
  readonly environment: VerbEnvironment;
  readonly caller: Caller;
  readonly served: ServedResource;
}

/** The operation that a request asks for. Made once for each request, when its resource is known. */
export interface RequestScope extends OperationScope {
  /** The request, which is the caller of the operation, too. */
  readonly context: RequestContext;
}

/** Makes the scope of a request. */
export function requestScope(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
): RequestScope {
  return { environment, caller: context, context, served };
}

/** Returns the lifetime in seconds of an object of the resource, if it has one. */
export function ttlSecondsOf({ environment, served }: OperationScope): number | undefined {
  return served.definition.expires ? environment.eventTtlSeconds : undefined;
}

/** Makes the context that strategies get of a write. */
export function strategyContext({ environment, caller }: OperationScope, subresource: string): StrategyContext {
  const { features, allowPrivileged, expressionMetrics } = environment;
  return {
    user: caller.user,
    nowMs: environment.now(),
    subresource,
    features,
    allowPrivileged,
    warn: (message) => caller.warn(message),
    expressionMetrics,
  };
}
