import { dumpPriorityLevels, dumpQueues, dumpRequests, type FlowControl } from "../flow-control/index.js";
import { sendBytes } from "../http/responder.js";
import type { RequestContext } from "../request/request-context.js";
import type { Routes } from "./dispatch.js";

const root = "/debug/api_priority_and_fairness/";

/** Returns the routes that show levels, queues and requests of priority and fairness, in v1.29's form. */
export function flowControlRoutes({ levels }: FlowControl): Routes {
  const dumps = new Map<string, (context: RequestContext) => string>([
    [`${root}dump_priority_levels`, () => dumpPriorityLevels(levels)],
    [`${root}dump_queues`, () => dumpQueues(levels)],
    [`${root}dump_requests`, ({ query }) => dumpRequests(levels, (query.get("includeRequestDetails") ?? "") !== "")],
  ]);
  return (path) => {
    const dump = dumps.get(path);
    return dump && ((context) => sendBytes(context, 200, "text/plain; charset=utf-8", Buffer.from(dump(context))));
  };
}
