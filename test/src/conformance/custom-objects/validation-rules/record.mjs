// Sends the requests of make-steps.mjs to kube-apiserver v1.29, and writes them and its answers to answers.jsonl.
// Usage: node record.mjs KUBECONFIG GATED_KUBECONFIG, of two servers without objects whose user may do everything; the
// second one has --feature-gates=CRDValidationRatcheting=true.
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { steps } from "./make-steps.mjs";

const [plain, gated] = process.argv.slice(2).map((file) => serverOf(readFileSync(file, "utf8")));
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

function serverOf(config) {
  const found = (pattern) => pattern.exec(config)[1];
  return {
    url: found(/server: "([^"]+)"/),
    ca: readFileSync(found(/certificate-authority: ([^}\s,]+)/)),
    cert: readFileSync(found(/client-certificate: ([^}\s,]+)/)),
    key: readFileSync(found(/client-key: ([^}\s,]+)/)),
  };
}

function send({ gate, method, path, type = "application/json", body }) {
  const { url, ...tls } = gate ? gated : plain;
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, ...tls, headers: { "Content-Type": type } }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => {
        const isJson = response.headers["content-type"]?.includes("json");
        const warnings = response.headers["warning"];
        resolve({ code: response.statusCode, ...(warnings ? { warnings } : {}), body: isJson ? JSON.parse(text) : {} });
      });
    });
    sent.on("error", reject);
    sent.end(body && JSON.stringify(body).replaceAll('"$version"', JSON.stringify(version)));
  });
}
