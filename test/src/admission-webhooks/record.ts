// Asks a real kube-apiserver what it does with webhooks, for the replay in webhook-cases.test.ts: the cases that are not
// recorded yet, and those with a part of a name in them that is given.
// Usage: node dist/admission-webhooks/record.js --kubeconfig FILE [--again PART-OF-A-NAME]
// It expects --authorization-mode=AlwaysAllow and the admission plugins of withoutAdmission (support/admission-flags.ts).
import { parseArgs } from "node:util";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { cases } from "./cases.js";
import { HookServers } from "./hook-server.js";
import { readRecording, writeRecording } from "./recording.js";
import { type CaseOutcome, runCase } from "./run-case.js";

const { values } = parseArgs({ options: { kubeconfig: { type: "string" }, again: { type: "string" } } });
using client = createHttpClient({ config: await loadKubeconfig(values.kubeconfig ?? "") });
await using hooks = await HookServers.start();
const known = readRecording();
const outcomes: Record<string, CaseOutcome> = {};
try {
  for (const [index, item] of cases.entries()) {
    const kept = values.again !== undefined && item.name.includes(values.again) ? undefined : known[item.name];
    const namespace = `case${index}-${Date.now() % 1_000_000}`;
    outcomes[item.name] = kept ?? (await runCase({ client, settleMs: 250 }, hooks, item, namespace));
  }
} finally {
  // What comes after a case that cannot be asked is recorded the next time.
  writeRecording({ ...known, ...outcomes });
}
