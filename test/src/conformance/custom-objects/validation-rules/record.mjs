// Sends the requests of make-steps.mjs to kube-apiserver v1.29, and writes them and its answers to answers.jsonl.
// Usage: node record.mjs KUBECONFIG GATED_KUBECONFIG, of two servers without objects whose user may do everything; the
// second one has --feature-gates=CRDValidationRatcheting=true.
import { writeFileSync } from "node:fs";
import { openServer } from "../../../../../scripts/recording/open-server.mjs";
import { steps } from "./make-steps.mjs";

const [plain, gated] = process.argv.slice(2).map(openServer);
const lines = [];
let version = "";
for (const step of steps) {
  let answer = await send(step);
  for (let times = 0; step.wait !== undefined && answer.code !== step.wait; times++) {
    if (times > 100) {
      throw new Error(`${step.method} ${step.path} is answered by ${answer.code}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    answer = await send(step);
  }
  version = answer.body.metadata?.resourceVersion ?? version;
  const { status, reason, message, details } = answer.body;
  const refused = answer.body.kind === "Status" ? { status, reason, message, details } : undefined;
  lines.push(JSON.stringify({ step, answer: { code: answer.code, warnings: answer.warnings, refused } }));
}
writeFileSync(new URL("answers.jsonl", import.meta.url), `${lines.join("\n")}\n`);

async function send({ gate, method, path, type, body }) {
  const filled = body && JSON.parse(JSON.stringify(body).replaceAll('"$version"', JSON.stringify(version)));
  const answer = await (gate ? gated : plain)(method, path, filled, type);
  const { warning: warnings } = answer.headers;
  return { code: answer.code, ...(warnings ? { warnings } : {}), body: answer.body ?? {} };
}
