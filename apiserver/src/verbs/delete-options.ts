import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import { type FieldError, fieldError, invalid, unsupportedMediaType } from "@gatehouse/envelopes/status";
import { readBody } from "../http/body.js";
import { bodyEncoding, contentTypeOf } from "../http/negotiation.js";
import type { RequestContext } from "../request/request-context.js";
import { isTrue } from "../request/request-info.js";
import { decodeOptions } from "./body/decode-body.js";
import { expectedKind } from "./body/expected-kind.js";
import { parseInteger } from "./parse-integer.js";
import { parseDryRun } from "./write-options.js";

/** The fate of dependents: they stay, go after their owner, or go before it. */
export type PropagationPolicy = "Orphan" | "Background" | "Foreground";

/** The DeleteOptions of meta/v1, from the body or from the query. */
export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  readonly dryRun: boolean;
  /** True if the object goes with others of its collection, and not by its own name. */
  readonly fromCollection?: boolean;
}

const policies: readonly PropagationPolicy[] = ["Foreground", "Background", "Orphan"];

/** Reads the options of a delete. A body, when there is one, is the whole truth; otherwise the query is. */
export async function readDeleteOptions(
  context: RequestContext,
  version: string,
  group: string,
): Promise<DeleteOptions> {
  const body = await readBody(context);
  const options = body.length === 0 ? fromQuery(context.query) : await fromBody(context, body, group, version);
  return resolveDeleteOptions(options);
}

async function fromBody(context: RequestContext, body: Buffer, group: string, version: string): Promise<JsonObject> {
  const encoding = bodyEncoding(context.header("content-type"));
  if (encoding === undefined) {
    throw unsupportedMediaType(Object.values(contentTypeOf));
  }
  // Clients send options under v1, under the meta group, or under the group version of the resource.
  const kind = expectedKind("", "v1", "DeleteOptions", ["meta.k8s.io/v1", apiVersionOf({ group, version })]);
  return decodeOptions(context, body, encoding, kind);
}

function fromQuery(query: URLSearchParams): JsonObject {
  const options: JsonObject = {};
  const grace = parseInteger(query.get("gracePeriodSeconds"));
  if (grace !== undefined) {
    options["gracePeriodSeconds"] = grace;
  }
  const orphan = query.get("orphanDependents");
  if (orphan !== null) {
    options["orphanDependents"] = isTrue(orphan);
  }
  const policy = query.get("propagationPolicy");
  if (policy !== null) {
    options["propagationPolicy"] = policy;
  }
  const preconditions = ["uid", "resourceVersion"]
    .map((name) => [name, query.get(name) ?? ""] as const)
    .filter(([, value]) => value !== "");
  if (preconditions.length > 0) {
    options["preconditions"] = Object.fromEntries(preconditions);
  }
  if (query.has("dryRun")) {
    options["dryRun"] = query.getAll("dryRun");
  }
  return options;
}

/** Checks decoded options; every problem is listed in one Invalid error. */
export function resolveDeleteOptions(options: JsonObject): DeleteOptions {
  const errors: FieldError[] = [];
  const { gracePeriodSeconds: grace, orphanDependents: orphan, propagationPolicy: policy, preconditions } = options;
  if (policy !== undefined && orphan !== undefined) {
    errors.push(
      fieldError.invalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"),
    );
  }
  if (typeof policy === "string" && !policies.some((known) => known === policy)) {
    errors.push(fieldError.notSupported("propagationPolicy", policy, [...policies, "nil"]));
  }
  const dryRun = parseDryRun(Array.isArray(options["dryRun"]) ? options["dryRun"].map(String) : [], errors);
  if (errors.length > 0) {
    throw invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  }
  return {
    gracePeriodSeconds: typeof grace === "number" ? grace : undefined,
    preconditions: isJsonObject(preconditions)
      ? (preconditions as NonNullable<DeleteOptions["preconditions"]>)
      : undefined,
    orphanDependents: typeof orphan === "boolean" ? orphan : undefined,
    propagationPolicy: policy as PropagationPolicy | undefined,
    dryRun,
  };
}
