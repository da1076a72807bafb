import type { Handler } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";

/**
 * Runs the handler. What even the error handling did not catch costs this request, not the process. Undefined when the
 * handler has done its work; else the promise resolves when it has.
 */
export function answer(handler: Handler, context: RequestContext): Promise<void> | undefined {
  try {
    return handler(context)?.catch(() => context.breakOff());
  } catch {
    context.breakOff();
  }
}
