/*
 * Asks a kube-apiserver for the answers to all requests of the files named, and writes them into those files:
 *   node test/dist/conformance/recorded-writes/record.js KUBECONFIG FILE...
 * To add requests, write lines with `method`, `path`, `type` and `body` and let this fill in the rest. The server should run
 * with --authorization-mode=AlwaysAllow and without the admission plugins that change objects.
 */
import { writeFileSync } from "node:fs";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { createApiClient } from "../../spec/support/api-client.js";
import { answerTo, type RecordedWrite, readRecordedWrites } from "./recorded-write.js";

const [kubeconfig, ...files] = process.argv.slice(2);
if (kubeconfig === undefined || files.length === 0) {
  throw new TypeError("usage: record.js KUBECONFIG FILE...");
}
using client = createApiClient(await loadKubeconfig(kubeconfig));
for (const file of files) {
  const answered: RecordedWrite[] = [];
  for (const { answer: _answer, ...write } of readRecordedWrites(file)) {
    answered.push({ ...write, answer: await answerTo(client, write) });
  }
  writeFileSync(file, answered.map((write) => `${JSON.stringify(write)}\n`).join(""));
}
