// Asks kube-apiserver v1.29 whether it accepts the schemas of questions.mjs, and writes its answers to definitions.jsonl.
// Usage: node record.mjs KUBECONFIG, of a server that lets its user do everything, such as ../shared/oracle/start.sh starts.
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { definitions, wideProperties } from "./questions.mjs";

const config = readFileSync(process.argv[2], "utf8");
const found = (pattern) => pattern.exec(config)[1];
const server = new URL(found(/server: "([^"]+)"/));
const tls = {
  ca: readFileSync(found(/certificate-authority: ([^}\s,]+)/)),
  cert: readFileSync(found(/client-certificate: ([^}\s,]+)/)),
  key: readFileSync(found(/client-key: ([^}\s,]+)/)),
};

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
  const answer = await post(path, {
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

function post(url, body) {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(url, server),
      { method: "POST", ...tls, headers: { "Content-Type": "application/json" } },
      (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks))));
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}
