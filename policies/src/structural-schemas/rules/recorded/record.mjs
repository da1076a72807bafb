// Asks kube-apiserver v1.29 what it says to the objects of questions.mjs, and writes its answers to objects.jsonl: in each
// line a schema, and objects with the causes for which they are refused.
// Usage: node record.mjs KUBECONFIG, of a server that lets its user do everything, such as ../shared/oracle/start.sh starts.
import { writeFileSync } from "node:fs";
import { openServer } from "../../../../../scripts/recording/open-server.mjs";
import { kinds } from "./questions.mjs";

const send = openServer(process.argv[2]);
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const schemaOf = ({ root, spec }) => root ?? { type: "object", properties: { spec } };

for (const [index, kind] of kinds.entries()) {
  await define(`tests${index}`, `Test${index}`, schemaOf(kind), kind.status);
}
const lines = [];
for (const [index, kind] of kinds.entries()) {
  const { root, status, objects } = kind;
  const plural = `tests${index}`;
  await untilServed(plural);
  const cases = [];
  for (const [number, question] of objects.entries()) {
    const found = await ask(plural, `Test${index}`, number, root === undefined ? inSpec(question) : question);
    cases.push(...(found === undefined ? [] : [found]));
  }
  await call("DELETE", `${definitions}/${plural}.example.com`);
  lines.push(JSON.stringify({ schema: schemaOf(kind), ...(status ? { status } : {}), cases }));
}
writeFileSync(new URL("objects.jsonl", import.meta.url), `${lines.join("\n")}\n`);

async function define(plural, kind, schema, status) {
  const answer = await call("POST", definitions, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(status ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  });
  if (answer.kind === "Status") {
    throw new Error(answer.message);
  }
}

async function untilServed(plural) {
  for (let served = false; !served; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    served = (await call("GET", `/apis/example.com/v1/${plural}`)).kind !== "Status";
  }
}

function inSpec(question) {
  return "old" in question && "object" in question
    ? { old: { spec: question.old }, object: { spec: question.object } }
    : { spec: question };
}

async function ask(plural, kind, number, question) {
  const { old, object = question, subresource } = "object" in question ? question : { object: question };
  const whole = (content) => ({ apiVersion: "example.com/v1", kind, metadata: { name: `test-${number}` }, ...content });
  const path = `/apis/example.com/v1/${plural}`;
  let answer;
  if (old === undefined) {
    answer = await call("POST", `${path}?dryRun=All`, whole(object));
  } else {
    const stored = await call("POST", path, whole(old));
    if (stored.kind === "Status") {
      console.log(`left out: ${stored.message}`);
      return undefined;
    }
    const next = whole(object);
    next.metadata = { ...stored.metadata };
    answer = await call("PUT", `${path}/test-${number}${subresource ? `/${subresource}` : ""}?dryRun=All`, next);
  }
  if (answer.kind === "Status" && answer.reason !== "Invalid") {
    throw new Error(answer.message);
  }
  const causes = (answer.details?.causes ?? []).map(({ reason, field, message }) => ({ reason, field, message }));
  return { ...(old === undefined ? {} : { old }), object, ...(subresource ? { subresource } : {}), causes };
}

async function call(method, path, body) {
  const answer = await send(method, path, body);
  return answer.body ?? { kind: "Status", message: answer.text };
}
