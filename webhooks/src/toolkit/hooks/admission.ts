import type { Middleware } from "@gatehouse/component-base/https-service";
import type { Lookup } from "../lookup/lookup.js";
import { type ReviewMiddlewareOptions, reviewMiddleware } from "../server/review-middleware.js";
import { admissionEndpoints } from "./admission-endpoints.js";
import type { Hook } from "./hook.js";

/** Options of `admission()`: the hooks, their lookup, and limits and callers of the endpoints. */
export interface AdmissionOptions extends Omit<ReviewMiddlewareOptions, "endpoints"> {
  readonly hooks: readonly Hook[];
  /** Source of the objects that hooks read, such as `openLookup()` opens. Required when a hook names some in `reads`. */
  readonly lookup?: Lookup;
}

/**
 * Returns middleware for an Express app that serves hooks, each at its `path` below the place where the middleware is
 * mounted. Throws TypeError when two hooks share a path, or when a hook reads other objects and there is no lookup.
 *
 * @example
 * const app = express();
 * app.use("/hooks", admission({ hooks: [noLatestTag], callers: await openBearerTokens({ file: "tokens" }) }));
 */
export function admission(options: AdmissionOptions): Middleware {
  const { hooks, lookup, ...rest } = options;
  return reviewMiddleware({ ...rest, endpoints: admissionEndpoints(hooks, lookup) });
}
