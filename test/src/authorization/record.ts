// Asks a real kube-apiserver who may do what, for the replay in who-may-do-what.test.ts.
// Usage: node dist/authorization/record.js --print-tokens > FILE; SETTLE_MS=500 node dist/authorization/record.js --kubeconfig FILE
// It expects --authorization-mode=Node,RBAC, --token-auth-file with the tokens that are printed,
// --enable-admission-plugins=OwnerReferencesPermissionEnforcement,NodeRestriction,DenyServiceExternalIPs, and a controller manager.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { createApiClient } from "../spec/support/api-client.js";
import { perform } from "./acts.js";
import { tokenFile } from "./cast.js";
import { acts } from "./escalation.js";
import { guardedWrites } from "./guarded-writes.js";
import { play } from "./play.js";
import { type Recording, recordingFile } from "./recording.js";

const { values } = parseArgs({ options: { kubeconfig: { type: "string" }, "print-tokens": { type: "boolean" } } });
if (values["print-tokens"] === true) {
  process.stdout.write(`${tokenFile}\n`);
} else {
  const { clientCertificate: _admin, ...config } = await loadKubeconfig(values.kubeconfig ?? "");
  using client = createApiClient(config);
  const recording: Recording = {
    play: await play(client),
    attempt: await perform(client, acts),
    guarded: await perform(client, guardedWrites),
  };
  writeFileSync(recordingFile, `${JSON.stringify(recording, null, 1)}\n`);
}
