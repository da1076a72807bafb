import type { FailedOpen } from "@gatehouse/apiserver/admission";
import type { Caller } from "@gatehouse/apiserver/request";
import { sharedWork } from "@gatehouse/apiserver/scheduling";
import { noWriteOptions, updateObject, type VerbEnvironment } from "@gatehouse/apiserver/verbs";
import { copyJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { isSameJson } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { FailedOpenLedger } from "./failed-open-ledger.js";

/** The verdict of admission on an object that was written without a webhook. */
export interface Recheck {
  readonly entry: FailedOpen;
  /** The verdict: `unknown` if a webhook still cannot be asked, `changed` if admission would change the object. */
  readonly verdict: "admitted" | "gone" | "changed" | "refused" | "unknown";
  readonly message?: string;
}

/** The user in whose name objects are checked again. */
export const recheckUser = "system:apiserver:recheck";

/**
 * Repeats admission for the entries of the ledger, by dry runs of updates that change nothing. Entries that are
 * admitted or gone are removed; the others stay. Returns all results.
 */
export async function recheckAll(
  environment: VerbEnvironment,
  ledger: FailedOpenLedger,
  stillFailing: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly Recheck[]> {
  const results: Recheck[] = [];
  for (const entry of await ledger.list()) {
    signal.throwIfAborted();
    results.push(await recheck(environment, entry, stillFailing, signal));
  }
  const done = new Set(
    results.filter(({ verdict }) => verdict === "admitted" || verdict === "gone").map(({ entry }) => entryKey(entry)),
  );
  await ledger.remove((entry) => done.has(entryKey(entry)));
  return results;
}

function entryKey(entry: FailedOpen): string {
  return JSON.stringify([entry.time, webhookKey(entry)]);
}

/** Returns the key of a webhook and the object that it was to be asked about. */
export function webhookKey({ configuration, webhook, resource, namespace, name }: FailedOpen): string {
  return JSON.stringify([configuration, webhook, resource.group, resource.resource, namespace, name]);
}

async function recheck(
  environment: VerbEnvironment,
  entry: FailedOpen,
  stillFailing: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Recheck> {
  const { resource, namespace, name } = entry;
  const served = environment.liveRegistry.current.find(resource.group, resource.version, resource.resource);
  if (served?.isStored !== true) {
    return { entry, verdict: "gone" };
  }
  let before: JsonObject | undefined;
  try {
    const scope = { environment, caller: recheckCaller(namespace, name, signal), served };
    const { object } = await updateObject(scope, {
      subresource: "",
      options: { ...noWriteOptions, dryRun: true },
      ownership: "stated",
      createWhenMissing: false,
      revise: (old) => {
        before = copyJson(old ?? {}) as JsonObject;
        return copyJson(old ?? {}) as JsonObject;
      },
    });
    if (stillFailing.has(webhookKey(entry))) {
      return { entry, verdict: "unknown", message: "the webhook still cannot be asked" };
    }
    return isSameJson(before, object) ? { entry, verdict: "admitted" } : { entry, verdict: "changed" };
  } catch (error) {
    if (!(error instanceof StatusError)) {
      throw error;
    }
    const { code, message } = error;
    return { entry, verdict: code === 404 ? "gone" : code >= 500 ? "unknown" : "refused", message };
  }
}

function recheckCaller(namespace: string, name: string, signal: AbortSignal): Caller {
  return {
    user: { username: recheckUser, groups: ["system:masters"] },
    agent: "gatehouse-recheck",
    info: { namespace, name, subresource: "" },
    signal,
    warn() {},
    yield: () => sharedWork.yield(),
    yieldIfLarge: () => undefined,
  };
}
