import { sendBytes } from "../http/responder.js";
import type { Routes } from "../routes/dispatch.js";
import { answerProfiling, profilingPrefix } from "./answer-profiling.js";

/** Returns the routes of `/debug/pprof/` (`--profiling`). */
export const profilingRoutes: Routes = (path) =>
  path === "/debug/pprof" || path.startsWith(profilingPrefix)
    ? async (context) => {
        const answer = await answerProfiling({ path, query: context.query, signal: context.signal });
        const { "Content-Type": contentType = "", ...headers } = answer?.headers ?? {};
        for (const [name, value] of Object.entries(headers)) {
          context.setHeader(name, value);
        }
        sendBytes(context, answer?.code ?? 404, contentType, answer?.body ?? Buffer.alloc(0));
      }
    : undefined;
