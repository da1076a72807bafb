import { type FieldError, fieldError, invalid, isJsonObject, type JsonObject, kindSchema } from "@gatehouse/envelopes";
import { readBody } from "../../http/body.js";
import { bodyEncoding } from "../../http/negotiation.js";
import type { RequestContext } from "../../request/request-context.js";
import { decodeDocument, type ExpectedKind } from "./decode-body.js";
import { parseDryRun } from "./write-options.js";

export type PropagationPolicy = "Orphan" | "Background" | "Foreground";

/** meta/v1 DeleteOptions, from the body or from the query. */
export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  readonly dryRun: boolean;
}

const policies: readonly PropagationPolicy[] = ["Background", "Foreground", "Orphan"];

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

function fromBody(context: RequestContext, body: Buffer, group: string, version: string): Promise<JsonObject> {
  const kind = kindSchema("", "v1", "DeleteOptions");
  if (kind === undefined) {
    throw new Error("no schema for DeleteOptions");
  }
  const encoding = bodyEncoding(context.header("content-type")) ?? "json";
  const expected: ExpectedKind = { group: "", version: "v1", kind: "DeleteOptions", schema: kind.schema };
  // Clients send options under v1 or under the group version of the resource.
  const alias = { ...expected, group, version };
  return decodeDocument(context, body, encoding, saysGroupVersion(body, alias) ? alias : expected, "Ignore");
}

function saysGroupVersion(body: Buffer, kind: ExpectedKind): boolean {
  return kind.group !== "" && body.includes(`${kind.group}/${kind.version}`);
}

function fromQuery(query: URLSearchParams): JsonObject {
  const options: JsonObject = {};
  const grace = query.get("gracePeriodSeconds");
  if (grace !== null && grace !== "") {
    options["gracePeriodSeconds"] = /^-?\d{1,15}$/.test(grace) ? Number(grace) : grace;
  }
  const orphan = query.get("orphanDependents");
  if (orphan !== null && orphan !== "") {
    options["orphanDependents"] = orphan === "true" || orphan === "1";
  }
  const policy = query.get("propagationPolicy");
  if (policy !== null && policy !== "") {
    options["propagationPolicy"] = policy;
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
  if (grace !== undefined && typeof grace !== "number") {
    errors.push(fieldError.invalid("gracePeriodSeconds", grace, "must be an integer"));
  }
  if (typeof policy === "string" && !policies.some((known) => known === policy)) {
    errors.push(fieldError.notSupported("propagationPolicy", policy, [...policies, "nil"]));
  }
  if (policy !== undefined && orphan !== undefined) {
    errors.push(
      fieldError.invalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"),
    );
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
