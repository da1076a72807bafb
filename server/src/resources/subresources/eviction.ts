import {
  badRequest,
  isJsonObject,
  type JsonObject,
  kindSchema,
  labelSelectorOf,
  StatusError,
} from "@gatehouse/envelopes";
import { plainOffer } from "../../http/negotiation.js";
import type { RequestContext } from "../../request/request-context.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { metaOf, timestamp } from "../object-meta.js";
import type { Change } from "../resource-storage.js";
import type { ServedResource } from "../served-resource.js";
import { checkNamespace } from "../verbs/create.js";
import { decodeBody, type ExpectedKind } from "../verbs/decode-body.js";
import { deleteObject } from "../verbs/delete.js";
import { type DeleteOptions, resolveDeleteOptions } from "../verbs/delete-options.js";
import { readEntry } from "../verbs/get.js";
import { representationFor, respondWithStatus } from "../verbs/respond.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import { parseWriteOptions } from "../verbs/write-options.js";
import type { SubresourceHandler } from "./subresource-handler.js";

function evictionKind(): ExpectedKind {
  const kind = kindSchema("policy", "v1", "Eviction");
  if (kind === undefined) {
    throw new Error("no schema for Eviction");
  }
  return { group: "policy", version: "v1", kind: "Eviction", schema: kind.schema };
}

/** Phases in which a pod no longer counts for a budget. */
const inactivePhases = new Set(["Succeeded", "Failed", "Pending"]);

/**
 * POST of a pod's /eviction: deletes the pod if its PodDisruptionBudget has a disruption left, else 429. The budget is
 * charged first, so that two evictions never share one disruption.
 */
export function createEviction(findBudgets: () => ServedResource | undefined): SubresourceHandler {
  return async (environment, context, pods) => {
    representationFor(context, plainOffer);
    const { dryRun } = parseWriteOptions(context.query, "CreateOptions");
    const eviction = await decodeBody(context, evictionKind(), "Warn");
    checkNamespace(eviction, pods, context.info.namespace);
    if (metaOf(eviction).name !== context.info.name) {
      throw badRequest("name in URL does not match name in Eviction object");
    }
    const sent = eviction["deleteOptions"];
    const options = resolveDeleteOptions(isJsonObject(sent) ? sent : {});
    const pod = pods.objectOf(await readEntry(context, pods));
    const budgets = findBudgets();
    if (budgets !== undefined && countsForBudget(pod)) {
      await chargeBudget(environment, context, budgets, pod, dryRun || options.dryRun);
    }
    await removePod(environment, context, pods, pod, { ...options, dryRun: dryRun || options.dryRun });
    respondWithStatus(context, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
  };
}

function countsForBudget(pod: JsonObject): boolean {
  const phase = isJsonObject(pod["status"]) ? pod["status"]["phase"] : undefined;
  return metaOf(pod).deletionTimestamp === undefined && !(typeof phase === "string" && inactivePhases.has(phase));
}

/** Deletes the very pod that was charged for, unless the caller has a precondition of its own. */
async function removePod(
  environment: VerbEnvironment,
  context: RequestContext,
  pods: ServedResource,
  pod: JsonObject,
  options: DeleteOptions,
): Promise<void> {
  const { uid } = metaOf(pod);
  const preconditions = options.preconditions ?? (uid === undefined ? undefined : { uid });
  const { namespace, name } = context.info;
  await deleteObject(environment, context, pods, namespace, name, { ...options, preconditions });
}

async function chargeBudget(
  environment: VerbEnvironment,
  context: RequestContext,
  budgets: ServedResource,
  pod: JsonObject,
  dryRun: boolean,
): Promise<void> {
  const matching = await budgetsOf(context, budgets, pod);
  if (matching.length > 1) {
    throw new StatusError(
      500,
      "InternalError",
      "Internal error occurred: This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  const budget = matching[0];
  if (budget === undefined) {
    return;
  }
  const charge = (entry: CacheEntry | undefined): Change => {
    if (entry === undefined) {
      return { type: "none" };
    }
    const object = budgets.objectOf(entry);
    takeDisruption(object, metaOf(pod).name ?? "", timestamp(environment.now()));
    return { type: "write", object: budgets.toStorage(object) };
  };
  if (dryRun) {
    charge(budget);
  } else {
    await budgets.storage.change(budget.key, charge);
  }
}

async function budgetsOf(context: RequestContext, budgets: ServedResource, pod: JsonObject): Promise<CacheEntry[]> {
  await budgets.storage.catchUp(context);
  const { namespace = "", labels } = metaOf(pod);
  const matching: CacheEntry[] = [];
  for (const entry of budgets.storage.cache.snapshot().entries(budgets.storage.prefixOf(namespace))) {
    const spec = budgets.objectOf(entry)["spec"];
    const selector = isJsonObject(spec) && isJsonObject(spec["selector"]) ? spec["selector"] : undefined;
    if (labelSelectorOf(selector).matches(labels)) {
      matching.push(entry);
    }
  }
  return matching;
}

/** Takes one disruption off a budget's status and notes which pod it went to. Throws 429 when none is left. */
function takeDisruption(budget: JsonObject, podName: string, now: string): void {
  const status: JsonObject = isJsonObject(budget["status"]) ? budget["status"] : {};
  const allowed = Number(status["disruptionsAllowed"] ?? 0);
  const name = metaOf(budget).name ?? "";
  const observed = Number(status["observedGeneration"] ?? 0);
  if (observed < Number(metaOf(budget).generation ?? 0)) {
    throw violatesBudget(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (allowed <= 0) {
    throw violatesBudget(
      `The disruption budget ${name} needs ${Number(status["desiredHealthy"] ?? 0)} healthy pods and has ${Number(status["currentHealthy"] ?? 0)} currently`,
      0,
    );
  }
  status["disruptionsAllowed"] = allowed - 1;
  const disrupted = isJsonObject(status["disruptedPods"]) ? status["disruptedPods"] : {};
  status["disruptedPods"] = { ...disrupted, [podName]: now };
  budget["status"] = status;
}

function violatesBudget(detail: string, retryAfterSeconds: number): StatusError {
  return new StatusError(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: "DisruptionBudget", message: detail }],
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  });
}
