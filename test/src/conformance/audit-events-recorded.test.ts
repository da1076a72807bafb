import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { sessionTokens } from "./audit-session/run-session.js";
import { differentialFile, replayRecordedArea } from "./replay-recorded-area.js";

/** Recordings by name: the number of the policy, and the seed and number of requests (`SEED`, `COUNT`). */
const recordings = { "audit-events-all": [0, 71, 360], "audit-events-drawn": [3, 72, 260] } as const;

const folder = mkdtempSync(join(tmpdir(), "gatehouse-audit-events-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string): string => join(folder, name);
writeFileSync(file("tokens.csv"), sessionTokens);
writeFileSync(file("audit.log"), "");
// The views of answers read audit events from this log.
process.env["AUDIT_LOGS"] = file("audit.log");

const lib = (name: string): Promise<unknown> =>
  import(pathToFileURL(differentialFile(`lib/${name}.mjs`)).href) as Promise<unknown>;
const { auditFlags } = (await lib("audit-events/audit-flags")) as { readonly auditFlags: readonly string[] };
const { otherControllers } = (await lib("policies/server-flags")) as { readonly otherControllers: readonly string[] };
const { drawnPolicy } = (await lib("audit-events/policies")) as { drawnPolicy(seed: number): object };

for (const [recording, [policy, seed, count]] of Object.entries(recordings)) {
  const policyFile = file(`policy-${policy}.json`);
  writeFileSync(policyFile, JSON.stringify(drawnPolicy(policy)));
  process.env["SEED"] = String(seed);
  process.env["COUNT"] = String(count);
  await replayRecordedArea({
    title: `Drawn requests leave the audit events that v1.29 has written of them, ${recording}`,
    area: "audit-events",
    recording,
    // Watches take a second each: one of five will do.
    includes: ({ name }, index) => !name.includes("watch") || index % 5 === 0,
    flags: [
      ...auditFlags,
      "--service-cluster-ip-range=10.0.0.0/24",
      `--controllers=*,${otherControllers.map((name) => `-${name}`).join(",")}`,
      `--token-auth-file=${file("tokens.csv")}`,
      `--audit-policy-file=${policyFile}`,
      `--audit-log-path=${file("audit.log")}`,
    ],
    // The events have the code, the milder one where there is one.
    compared: ([, events]) => events,
  });
}
