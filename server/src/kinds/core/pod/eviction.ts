import { AdmissionAttributes } from "@gatehouse/apiserver/admission";
import { plainOffer, sendStatus } from "@gatehouse/apiserver/http";
import { metaOf, setCondition, timestamp } from "@gatehouse/apiserver/objects";
import type { Change, ServedResource } from "@gatehouse/apiserver/registry";
import type { RequestContext } from "@gatehouse/apiserver/request";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import {
  beginCreate,
  checkPreconditions,
  type DeleteOptions,
  deleteObject,
  expectedKind,
  mutateInAdmission,
  type RequestScope,
  readEntry,
  readSentObject,
  representationFor,
  resolveDeleteOptions,
  trackPostedFields,
  type VerbEnvironment,
  type VerbHandler,
  type WriteOptions,
  writeOptionsObject,
} from "@gatehouse/apiserver/verbs";
import { isJsonObject, type JsonArray, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { badRequest, StatusError } from "@gatehouse/envelopes/status";
import { hasEnded } from "../../../pods/has-ended.js";
import {
  budgetsOf,
  chargeBudget,
  mayGoUnready,
  tooManyDisruptions,
} from "../../policy/pod-disruption-budget/disruptions.js";

/** Limit on the attempts to evict an uncounted pod while it changes. */
const maxAttempts = 20;

/**
 * Returns the handler for POST of a pod's /eviction: deletes the pod if its PodDisruptionBudget has a disruption left,
 * else throws 429. The budget is charged first, so that two evictions never share one disruption.
 */
export function createEviction(findBudgets: () => ServedResource | undefined): VerbHandler {
  return async (scope) => {
    const { context } = scope;
    representationFor(context, plainOffer);
    const writeOptions = beginCreate(context);
    const kind = expectedKind("policy", "v1", "Eviction", ["policy/v1beta1"]);
    const eviction = await readSentObject(scope, kind, writeOptions);
    if (metaOf(eviction).name !== context.info.name) {
      throw badRequest("name in URL does not match name in Eviction object");
    }
    const sent = eviction["deleteOptions"];
    checkSameDryRun(context.query.getAll("dryRun"), listAt(sent, "dryRun"));
    const options = resolveDeleteOptions(isJsonObject(sent) ? sent : {});
    const isDryRun = writeOptions.dryRun || options.dryRun;
    const isTimed = await trackPostedFields(scope, kind, eviction, writeOptions);
    // As in v1.29, admission is not told of a dry run that the options of the deletion alone ask for.
    await admit(scope, eviction, writeOptions, isTimed);
    await new EvictionOfPod(scope, { ...options, dryRun: isDryRun }).run(findBudgets());
    sendStatus(context, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
  };
}

/** Validates that query and body agree on the dry run. Throws 400, where v1.29 has 500 (decisions/0008). */
function checkSameDryRun(asked: readonly string[], sent: JsonArray): void {
  if (asked.length > 0 && sent.length > 0 && asked.join(" ") !== sent.join(" ")) {
    const both = `[${asked.join(" ")}] and [${sent.join(" ")}]`;
    throw badRequest(`Non-matching dry-run options in request and content: ${both}`);
  }
}

async function admit(scope: RequestScope, object: JsonObject, options: WriteOptions, isTimed: boolean): Promise<void> {
  const { environment, context, served } = scope;
  const attributes = new AdmissionAttributes({
    operation: "CREATE",
    caller: context,
    kind: { group: "policy", version: "v1", kind: "Eviction" },
    resource: served,
    subresource: "eviction",
    object,
    options: writeOptionsObject("CreateOptions", options),
    dryRun: options.dryRun,
    hasNewTime: () => isTimed,
  });
  await mutateInAdmission(environment, attributes);
  await environment.admission.validate(attributes);
}

/** A request to evict the pod that the path names. */
class EvictionOfPod {
  readonly #scope: RequestScope;
  readonly #environment: VerbEnvironment;
  readonly #context: RequestContext;
  readonly #pods: ServedResource;
  readonly #options: DeleteOptions;

  constructor(scope: RequestScope, options: DeleteOptions) {
    this.#scope = scope;
    this.#environment = scope.environment;
    this.#context = scope.context;
    this.#pods = scope.served;
    this.#options = options;
  }

  async run(budgets: ServedResource | undefined): Promise<void> {
    const pod = await this.#deleteUncounted();
    if (pod === undefined) {
      return;
    }
    const budget = budgets === undefined ? undefined : await this.#budgetFor(budgets, pod);
    if (budgets === undefined || budget === undefined) {
      await this.#markAndDelete(this.#options);
      return;
    }
    const object = budgets.form.decode(budget);
    if (mayGoUnready(object, pod, this.#environment.features)) {
      await this.#deleteWhileUnready(pod, metaOf(object).name ?? "");
      return;
    }
    const { dryRun } = this.#options;
    await chargeBudget({ ...this.#scope, served: budgets }, budget, pod, dryRun);
    await this.#markAndDelete(this.#options);
  }

  /** Deletes the pod if it does not count for a budget. Otherwise returns the pod. */
  async #deleteUncounted(): Promise<JsonObject | undefined> {
    for (let attempt = 1; ; attempt++) {
      const pod = this.#pods.form.decode(await readEntry(this.#context, this.#pods));
      const isSettled = hasEnded(pod) || metaOf(pod).deletionTimestamp !== undefined;
      if (!isSettled && textAt(pod, "status", "phase") !== "Pending") {
        return pod;
      }
      try {
        // A pending pod may begin to count now: it is deleted only in the version that was read.
        await this.#markAndDelete(isSettled ? this.#options : this.#asSeen(pod));
        return undefined;
      } catch (error) {
        if (attempt === maxAttempts || this.#hasVersion() || !isConflict(error)) {
          throw error;
        }
      }
    }
  }

  async #budgetFor(budgets: ServedResource, pod: JsonObject): Promise<CacheEntry | undefined> {
    const matching = await budgetsOf(this.#context, budgets, pod);
    if (matching.length > 1) {
      const message =
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
      throw new StatusError(500, "", message);
    }
    return matching[0];
  }

  /**
   * Deletes a pod if it is still unready. Throws 429 if it has become ready and counts after all; the client may retry.
   */
  async #deleteWhileUnready(pod: JsonObject, budgetName: string): Promise<void> {
    try {
      await this.#markAndDelete(this.#asSeen(pod));
    } catch (error) {
      throw isConflict(error) && !this.#hasVersion() ? tooManyDisruptions(budgetName) : error;
    }
  }

  /** Notes the eviction in the pod's status and deletes the pod. */
  async #markAndDelete(options: DeleteOptions): Promise<void> {
    if (options.dryRun || !this.#environment.features.enabled("PodDisruptionConditions")) {
      await this.#delete(options);
      return;
    }
    const pods = this.#pods;
    const { namespace, name } = this.#context.info;
    const mark = async (entry: CacheEntry | undefined): Promise<Change> => {
      if (entry === undefined) {
        return { type: "none" };
      }
      const pod = pods.form.decode(entry);
      checkPreconditions(pods, name, pod, statedPreconditions(options));
      const condition = { type: "DisruptionTarget", status: "True", lastProbeTime: null } as const;
      const why = { reason: "EvictionByEvictionAPI", message: "Eviction API: evicting" };
      setCondition(pod, { ...condition, ...why }, timestamp(this.#environment.now()));
      pods.form.canonicalize(pod);
      return { type: "write", object: await pods.form.toStored(pod, this.#context) };
    };
    const { entry } = await pods.storage.change(pods.storage.keyOf(namespace, name), mark);
    const isPinned = options.preconditions?.resourceVersion !== undefined && entry !== undefined;
    await this.#delete(isPinned ? withVersion(options, String(entry.revision)) : options);
  }

  async #delete(options: DeleteOptions): Promise<void> {
    const { namespace, name } = this.#context.info;
    await deleteObject(this.#scope, { namespace, name, options, admission: "notAsked" });
  }

  #hasVersion(): boolean {
    return this.#options.preconditions?.resourceVersion !== undefined;
  }

  #asSeen(pod: JsonObject): DeleteOptions {
    const { resourceVersion } = metaOf(pod);
    return this.#hasVersion() || resourceVersion === undefined
      ? this.#options
      : withVersion(this.#options, resourceVersion);
  }
}

/** Returns options without preconditions that are empty texts: to note an eviction, v1.29 takes these for none. */
function statedPreconditions({ preconditions = {}, ...options }: DeleteOptions): DeleteOptions {
  const stated = Object.entries(preconditions).filter(([, wanted]) => wanted !== "");
  return { ...options, preconditions: Object.fromEntries(stated) };
}

function withVersion(options: DeleteOptions, resourceVersion: string): DeleteOptions {
  return { ...options, preconditions: { ...options.preconditions, resourceVersion } };
}

function isConflict(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "Conflict";
}
