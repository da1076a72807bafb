import type { Middleware } from "@gatehouse/component-base/https-service";
import { emptyLookup, type Lookup } from "../lookup/lookup.js";
import { type ReviewMiddlewareOptions, reviewMiddleware } from "../server/review-middleware.js";
import { admissionEndpoints } from "./admission-endpoints.js";
import type { Hook } from "./hook.js";

/** The hooks that an app serves, and what stands around them. */
export interface AdmissionOptions extends Omit<ReviewMiddlewareOptions, "endpoints"> {
  readonly hooks: readonly Hook[];
  /** What hooks that read other objects read them from. Default: nothing may be read. */
  readonly lookup?: Lookup;
}

/**
 * Serves hooks as middleware of an Express app, each at its `path` from where the middleware is mounted.
 *
 * @example
 * const app = express();
 * app.use(admission({ hooks: [noLatestTag] }));
 */
export function admission(options: AdmissionOptions): Middleware {
  const { hooks, lookup = emptyLookup, ...rest } = options;
  return reviewMiddleware({ ...rest, endpoints: admissionEndpoints(hooks, lookup) });
}
