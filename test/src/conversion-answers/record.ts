/*
 * Asks a kube-apiserver what it makes of every lie and writes its answers into a file:
 *   node test/dist/conversion-answers/record.js KUBECONFIG FILE
 * The server should run with --authorization-mode=AlwaysAllow on this machine.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { createCertificates } from "@gatehouse/testing/certificates";
import { createApiClient } from "../spec/support/api-client.js";
import { askThroughLie, defineSites } from "./ask-through-lie.js";
import { lies } from "./lies.js";
import { startLyingWebhook } from "./lying-webhook.js";

const [kubeconfig, file] = process.argv.slice(2);
if (kubeconfig === undefined || file === undefined) {
  throw new TypeError("usage: record.js KUBECONFIG FILE");
}
const folder = mkdtempSync(join(tmpdir(), "gatehouse-record-"));
const { caFile, serverCertFile, serverKeyFile } = await createCertificates(folder);
await using webhook = await startLyingWebhook({ cert: readFileSync(serverCertFile), key: readFileSync(serverKeyFile) });
using client = createApiClient(await loadKubeconfig(kubeconfig));
await defineSites(client, webhook, readFileSync(caFile, "utf8"));
const lines: string[] = [];
for (const [name, lie] of Object.entries(lies)) {
  lines.push(`${JSON.stringify({ lie: name, answers: await askThroughLie(client, webhook, lie) })}\n`);
}
writeFileSync(file, lines.join(""));
rmSync(folder, { recursive: true });
