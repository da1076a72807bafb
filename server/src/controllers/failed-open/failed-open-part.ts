import type { FailedOpen } from "@gatehouse/apiserver/admission";
import { sendJsonBytes, sendText } from "@gatehouse/apiserver/http";
import type { Routes } from "@gatehouse/apiserver/routes";
import type { VerbEnvironment } from "@gatehouse/apiserver/verbs";
import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { WorkerGroup } from "../../workers/worker-group.js";
import { FailedOpenLedger, type LedgerOptions } from "./failed-open-ledger.js";
import { recheckAll, recheckUser, webhookKey } from "./recheck.js";

/** The path where the ledger is read (GET) and rechecked (POST). Both need authorization as any other path. */
const failedOpenPath = "/gatehouse/failed-open";

/** The topic by which workers ask each other to store what they have noted. */
const flushTopic = "failed-open flush";

/** The ledger of writes that went on without a webhook, and its path. */
export interface FailedOpenPart {
  readonly note: (entry: FailedOpen) => void;
  routes(environment: VerbEnvironment): Routes;
}

/** The part of a server without a ledger: nothing is kept, and there is no path. */
const noFailedOpenPart: FailedOpenPart = { note: () => {}, routes: () => () => undefined };

/** Opens the ledger; a size of 0 entries means none. */
export function openFailedOpenPart(
  options: LedgerOptions & { readonly workers: Pick<WorkerGroup, "ask" | "answer"> | undefined },
): FailedOpenPart {
  if (options.maxEntries === 0) {
    return noFailedOpenPart;
  }
  const ledger = new FailedOpenLedger(options);
  const { workers } = options;
  workers?.answer(flushTopic, async () => {
    await ledger.flushed();
    return null;
  });
  /** Keys of webhooks that failed again in the current run of rechecks; one run at a time. */
  let stillFailing = new Set<string>();
  let running: Promise<unknown> = Promise.resolve();
  return {
    note(entry) {
      if (entry.user === recheckUser) {
        stillFailing.add(webhookKey(entry));
      } else if (!entry.dryRun) {
        ledger.add(entry);
      }
    },
    routes: (environment) => (path) =>
      path !== failedOpenPath
        ? undefined
        : async (context) => {
            // Entries of other workers, too, are in the ledger from when their writes have been answered.
            await workers?.ask(flushTopic, null);
            const send = (items: readonly object[]): void =>
              sendJsonBytes(context, 200, Buffer.from(encodeJson({ items: items as JsonObject[] })));
            if (context.method === "GET") {
              send(await ledger.list());
            } else if (context.method === "POST") {
              const run = running.then(() => {
                stillFailing = new Set();
                return recheckAll(environment, ledger, stillFailing, context.signal);
              });
              running = run.catch(() => {});
              send(await run);
            } else {
              sendText(context, 405, "405: only GET and POST\n");
            }
          },
  };
}
