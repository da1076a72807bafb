import { sendText } from "../http/responder.js";
import type { Handler } from "../request/handler.js";

/** Handlers of paths outside the resources: discovery, OpenAPI, health, metrics. Undefined for other paths. */
export type Routes = (path: string) => Handler | undefined;

/**
 * Returns the handler behind the filters: paths of other servers by their handler, resources by their table, everything
 * else by its path.
 */
export function dispatch(resources: Handler, routes: readonly Routes[], delegated: Routes | undefined): Handler {
  return (context) => {
    const { info } = context;
    const elsewhere = delegated?.(context.path);
    if (elsewhere !== undefined) {
      return elsewhere(context);
    }
    if (info.isResourceRequest) {
      return resources(context);
    }
    for (const route of routes) {
      const handler = route(info.path);
      if (handler !== undefined) {
        return handler(context);
      }
    }
    return sendText(context, 404, "404 page not found\n");
  };
}
