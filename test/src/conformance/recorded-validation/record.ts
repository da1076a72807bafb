/*
 * Asks a kube-apiserver for the answers to all cases of the files named, and writes them into those files:
 *   node test/dist/conformance/recorded-validation/record.js KUBECONFIG FILE...
 * To add cases, write lines with `write` and `set` and let this fill in the rest. The server should run with
 * --runtime-config=api/all=true, --feature-gates=ClusterTrustBundle=true and --authorization-mode=AlwaysAllow, and without the admission plugins that change objects.
 */
import { writeFileSync } from "node:fs";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { type ApiClient, createApiClient } from "../../spec/support/api-client.js";
import { recordedAnswer } from "./recorded-answer.js";
import { sendCase } from "./recorded-case.js";
import { formatRecordedFile, type RecordedGroup, readRecordedFile } from "./recorded-file.js";

const [kubeconfig, ...files] = process.argv.slice(2);
if (kubeconfig === undefined || files.length === 0) {
  throw new TypeError("usage: record.js KUBECONFIG FILE...");
}
using client = createApiClient(await loadKubeconfig(kubeconfig));
await client.post("/api/v1/namespaces", { metadata: { name: "recorded" } });
for (const file of files) {
  const groups: RecordedGroup[] = [];
  for (const group of readRecordedFile(file)) {
    groups.push(await answered(client, group));
  }
  writeFileSync(file, formatRecordedFile(groups));
}

async function answered(client: ApiClient, { subject, cases }: RecordedGroup): Promise<RecordedGroup> {
  const { name } = (subject.object as { metadata: { name: string } }).metadata;
  const created = await client.post(subject.collection, subject.object);
  if (created.status !== 201) {
    throw new Error(`${name}: ${created.text}`);
  }
  const answers: RecordedGroup["cases"][number][] = [];
  for (const { write, set } of cases) {
    const { code, body } = await sendCase(client, subject, { write, set, code: 0 });
    answers.push({ write, set, ...recordedAnswer(code, body) });
  }
  await client.delete(`${subject.collection}/${name}?gracePeriodSeconds=0`);
  return { subject, cases: answers };
}
