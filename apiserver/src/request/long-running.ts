import type { RequestContext } from "./request-context.js";

/** Reports whether a request lasts as long as the client likes; such requests have a lifetime of their own. */
export function isLongRunning(context: RequestContext): boolean {
  const { info } = context;
  return info.verb === "watch" || info.verb === "proxy" || longRunningSubresources.has(info.subresource);
}

const longRunningSubresources = new Set(["attach", "exec", "log", "portforward", "proxy"]);
