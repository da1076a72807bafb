import { request } from "node:https";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { deploymentJson } from "../deployments.js";
import { roundResult } from "../load/round-result.js";
import { startAdmissionServer } from "../processes/admission-server.js";
import { readClientTls } from "../processes/client-tls.js";
import { startBareReviewServer, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

const connections = 32;
const hookName = "no-latest-tag.bench.example.com";
const path = `/validating/${hookName}`;

const configuration = {
  apiVersion: "config.gatehouse.dev/v1alpha1",
  kind: "AdmissionServerConfiguration",
  hooks: [{ name: hookName, library: { noLatestTag: {} } }],
};

/** What the toolkit puts around a decision. */
export const admissionBenchmark: Benchmark = {
  name: "admission",
  what: `validating review of a 10 KB Deployment, HTTP/1.1, ${connections} connections, client certificate`,
  limit: "a bare Node https server that parses and answers the same bytes",
  unit: "reviews/s",
  wanted: { atLeast: 0.5 },
  async run(environment) {
    const { certificates, roundMs } = environment;
    await using admission = await startAdmissionServer(environment, configuration);
    await using bare = startBareReviewServer();
    await using load = startLoadGenerator();
    const body = reviewJson();
    const answer = await post(environment, admission.port, body);
    const barePort = await bare.call("listen", certificates);
    await bare.call("serve", {
      path,
      headers: { "Content-Type": "application/json", "Content-Length": String(answer.length) },
      body: answer,
    });
    const side = (port: number, serverPid: number) => async () => {
      const result = await load.call("run", {
        port,
        certificates,
        protocol: "HTTP/1.1",
        connections,
        streams: 1,
        request: { method: "POST", path, body },
        firstNumber: 0,
        expectedCode: 200,
        warmupMs: roundMs / 4,
        durationMs: roundMs,
        serverPids: [serverPid],
      });
      return roundResult(result, result.answers);
    };
    return await interleave(environment.rounds, side(admission.port, admission.pid), side(barePort, bare.pid));
  },
};

function reviewJson(): string {
  const object = JSON.parse(deploymentJson("bench", 0)) as object;
  return JSON.stringify({
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
      kind: { group: "apps", version: "v1", kind: "Deployment" },
      resource: { group: "apps", version: "v1", resource: "deployments" },
      requestKind: { group: "apps", version: "v1", kind: "Deployment" },
      requestResource: { group: "apps", version: "v1", resource: "deployments" },
      name: "bench",
      namespace: "bench",
      operation: "CREATE",
      userInfo: { username: "bench", groups: ["system:masters", "system:authenticated"] },
      object,
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
    },
  });
}

/** One review; resolves to the bytes of the answer. Rejects when it is not allowed. */
function post({ certificates }: BenchEnvironment, port: number, body: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method: "POST", ...readClientTls(certificates) };
    const sent = request({ ...options, headers: { "Content-Type": "application/json" }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const answer = Buffer.concat(chunks);
        if (response.statusCode === 200 && answer.includes('"allowed":true')) {
          resolve(answer);
        } else {
          reject(new Error(`a review was answered ${response.statusCode}: ${answer}`));
        }
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
