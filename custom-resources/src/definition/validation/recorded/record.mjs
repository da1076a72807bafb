// Asks kube-apiserver v1.29 whether it accepts the schemas of questions.mjs, and writes its answers to definitions.jsonl.
// Usage: node record.mjs KUBECONFIG, of a server that lets its user do everything, such as ../shared/oracle/start.sh starts.
import { writeFileSync } from "node:fs";
import { openServer } from "../../../../../scripts/recording/open-server.mjs";
import { definitions, wideProperties } from "./questions.mjs";

const send = openServer(process.argv[2]);
const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All";
const names = { plural: "tests", singular: "test", kind: "Test", listKind: "TestList" };
// Most schemas have the same properties, which are written once.
const wide = JSON.stringify(wideProperties);
const lines = [JSON.stringify({ wide: wideProperties })];
for (const schema of definitions) {
  const spec = {
    group: "example.com",
    scope: "Namespaced",
    names,
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  };
  const { body: answer } = await send("POST", path, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "tests.example.com" },
    spec,
  });
  if (answer.kind === "Status" && answer.reason !== "Invalid") {
    throw new Error(`${answer.message}: ${JSON.stringify(schema).slice(0, 500)}`);
  }
  const causes = (answer.details?.causes ?? []).map(({ reason, field, message }) => ({ reason, field, message }));
  lines.push(JSON.stringify({ schema, causes }).replace(wide, '"wide"'));
}
writeFileSync(new URL("definitions.jsonl", import.meta.url), `${lines.join("\n")}\n`);
