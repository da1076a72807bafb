import type { RequestContext } from "../request/request-context.js";
import type { RequestTrace, SpanAttributes } from "../request/request-trace.js";
import { type Filter, isPromise } from "./filter.js";

/** Begins the traces of requests; undefined for a request that is not traced. */
export type BeginTrace = (
  name: string,
  traceparent: string | undefined,
  attributes: SpanAttributes,
) => RequestTrace | undefined;

/** Traces a request from here until its answer is complete, with v1.29's name and attributes of the span. */
export function traceRequest(begin: BeginTrace): Filter {
  return (context, next) => {
    const { method, exchange } = context;
    const trace = begin("KubernetesAPI", context.header("traceparent"), {
      "http.method": method,
      "http.scheme": "https",
      "http.target": exchange.target,
      "net.host.name": context.header("host") ?? context.header(":authority") ?? "",
      "user_agent.original": context.header("user-agent") ?? "",
    });
    if (trace !== undefined) {
      context.trace = trace;
      exchange.whenClosed(() => {
        const code = exchange.status;
        trace.end(code >= 500 ? new Error(String(code)) : undefined, {
          "http.status_code": code,
          "http.wrote_bytes": exchange.sentBytes,
        });
      });
    }
    return next(context);
  };
}

/** Puts the work of a verb on a resource into a span of its own. */
export const traceVerb: Filter = (context, next) => {
  const { trace, info } = context;
  if (trace === undefined || !info.isResourceRequest) {
    return next(context);
  }
  const span = trace.start(nameOf(info.verb), attributesOf(context));
  context.trace = span;
  const end = (error?: unknown): void => {
    context.trace = trace;
    span.end(error);
  };
  try {
    const outcome = next(context);
    if (!isPromise(outcome)) {
      end();
      return;
    }
    return outcome.then(
      () => end(),
      (error: unknown) => {
        end(error);
        throw error;
      },
    );
  } catch (error) {
    end(error);
    throw error;
  }
};

function nameOf(verb: string): string {
  return verb === "deletecollection" ? "Delete" : verb.charAt(0).toUpperCase() + verb.slice(1);
}

function attributesOf({ auditID, method, exchange, user, agent, info }: RequestContext): SpanAttributes {
  return {
    "audit-id": auditID,
    method,
    url: exchange.target,
    "user-agent": agent,
    user: user.username,
    resource: info.resource,
    namespace: info.namespace,
    name: info.name,
  };
}
