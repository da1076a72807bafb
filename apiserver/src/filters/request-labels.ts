import type { RequestContext } from "../request/request-context.js";

const methods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const connectSubresources = new Set(["log", "exec", "portforward", "attach", "proxy"]);

/**
 * Returns the verb of a request as v1.29's metrics name it: the HTTP method, with lists, watches, applies and connects
 * distinct from it, and unknown methods counted together.
 */
export function verbOf(context: RequestContext, isNamed: boolean = context.isKnownResource): string {
  const { info } = context;
  const method = context.method === "HEAD" ? "GET" : context.method;
  if (isNamed) {
    if (info.subresource !== "" && connectSubresources.has(info.subresource)) {
      return "CONNECT";
    }
    if (method === "GET") {
      return info.verb.toUpperCase();
    }
    if (method === "PATCH" && context.header("content-type") === "application/apply-patch+yaml") {
      return "APPLY";
    }
  }
  return methods.has(method) ? method : "other";
}

/**
 * Reports whether a watch is asked for by the former paths, `/api/v1/watch/pods`, and not by the query. v1.29 counts these among
 * long-running requests as reads, and does not measure the sizes of their answers.
 */
export function isWatchByPath({ info, query }: RequestContext): boolean {
  return info.verb === "watch" && !query.has("watch");
}

/** The names of the labels that tell what a request is about. */
export const objectLabelNames = ["verb", "group", "version", "resource", "subresource", "scope"] as const;

export type ObjectLabel = (typeof objectLabelNames)[number];

/**
 * Returns the labels of a request. Those of its resource are empty unless it `isNamed`: clients choose freely what they
 * ask for, and metrics must not grow with it.
 */
export function objectLabels(context: RequestContext, isNamed: boolean): Readonly<Record<ObjectLabel, string>> {
  const { info, healthPath } = context;
  const scope = scopeOf(context);
  const readVerb = scope === "resource" ? "GET" : "LIST";
  return {
    verb: isNamed && isWatchByPath(context) ? readVerb : verbOf(context, isNamed),
    group: isNamed ? info.group : "",
    version: isNamed ? info.version : "",
    resource: isNamed ? info.resource : "",
    subresource: isNamed ? info.subresource : healthPath,
    scope,
  };
}

/** Returns the part of the collection that a request is about: an object, a namespace, or all of it. */
export function scopeOf(context: RequestContext): string {
  const { info } = context;
  if (!info.isResourceRequest) {
    return "";
  }
  if (info.name !== "" || info.verb === "create") {
    return "resource";
  }
  return info.namespace === "" ? "cluster" : "namespace";
}

/** Returns `All` for a dry run, `invalid` for a value that is none, and nothing otherwise. */
export function dryRunOf(context: RequestContext): string {
  const values = context.query.getAll("dryRun");
  if (values.length === 0) {
    return "";
  }
  return values.every((value) => value === "All" || value === "") ? "All" : "invalid";
}

/** Returns the field validation that a request asks for, or `invalid`. */
export function fieldValidationOf(context: RequestContext): string {
  if (context.query.size === 0) {
    return "";
  }
  const values = context.query.getAll("fieldValidation");
  const [value = ""] = values;
  return values.length > 1 || !["", "Ignore", "Warn", "Strict"].includes(value) ? "invalid" : value;
}
