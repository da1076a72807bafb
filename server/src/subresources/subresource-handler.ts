import type { ServedResource } from "../catalogue/served-resource.js";
import type { MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";

/** Carries out one verb on one subresource. */
export type SubresourceHandler = (
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
) => MaybePromise<void>;
