import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openOtlpOutput } from "./otlp/otlp-output.js";
import { EventsRejectedError, type Output, type OutputContext } from "./output.js";
import { outputBatch, outputContract, outputEvent } from "./output-contract.test.support.js";
import { openWebhookOutput } from "./webhook-output.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-http-outputs-"));
after(() => rm(folder, { recursive: true }));
const signal = AbortSignal.timeout(60_000);

interface Collector extends AsyncDisposable {
  readonly kubeConfigFile: string;
  readonly requests: { readonly url: string; readonly body: Record<string, unknown> }[];
  /** Source and sequence of each. */
  readonly numbers: string[];
  /** Status code for the next requests. */
  status: number;
  answer: string;
}

let collectors = 0;

/** A server that takes JSON, and the kubeconfig that leads to it. */
async function startCollector(path = ""): Promise<Collector> {
  const requests: Collector["requests"] = [];
  const numbers: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (collector.status === 200) {
        numbers.push(`${request.headers["gatehouse-audit-source"]} ${request.headers["gatehouse-audit-sequence"]}`);
        requests.push({ url: `${request.method} ${request.url}`, body: JSON.parse(Buffer.concat(chunks).toString()) });
      }
      response.writeHead(collector.status, { "content-type": "application/json" }).end(collector.answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const kubeConfigFile = join(folder, `kubeconfig-${collectors++}`);
  const { port } = server.address() as AddressInfo;
  await writeFile(
    kubeConfigFile,
    `{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: c, user: ""}}], ` +
      `clusters: [{name: c, cluster: {server: "http://127.0.0.1:${port}${path}"}}]}`,
  );
  const collector: Collector = {
    kubeConfigFile,
    requests,
    numbers,
    status: 200,
    answer: "{}",
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}

function contractOf(
  name: string,
  open: (kubeConfigFile: string, context: OutputContext) => Promise<Output>,
  idsOf: (body: Record<string, unknown>) => readonly string[],
): void {
  outputContract(name, { keepsOnce: false, canFail: true }, async () => {
    const collector = await startCollector();
    return {
      open: (context) => open(collector.kubeConfigFile, context),
      received: async () => collector.requests.flatMap(({ body }) => idsOf(body)),
      breakDown: async () => {
        collector.status = 503;
      },
      mend: async () => {
        collector.status = 200;
      },
      [Symbol.asyncDispose]: () => collector[Symbol.asyncDispose](),
    };
  });
}

const newPipeline: OutputContext = { pipeline: "test", state: undefined, saveState: async () => undefined };
const openWebhook = (kubeConfigFile: string, context = newPipeline): Promise<Output> =>
  openWebhookOutput({ kubeConfigFile }, context);
const openOtlp = (kubeConfigFile: string): Promise<Output> =>
  openOtlpOutput({ kubeConfigFile, path: "/v1/logs", resourceAttributes: { "k8s.cluster.name": "a" } });

contractOf("webhook", openWebhook, (body) =>
  (body["items"] as readonly { readonly auditID: string }[]).map(({ auditID }) => auditID),
);
contractOf("OTLP", openOtlp, (body) =>
  recordsOf(body).map(({ body: { stringValue } }) => (JSON.parse(stringValue) as { auditID: string }).auditID),
);

interface LogRecord {
  readonly body: { readonly stringValue: string };
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}

function recordsOf(body: Record<string, unknown>): readonly LogRecord[] {
  const { resourceLogs } = body as { resourceLogs: [{ scopeLogs: [{ logRecords: readonly LogRecord[] }] }] };
  return resourceLogs[0].scopeLogs[0].logRecords;
}

test("webhook: posts an EventList to the address of the kubeconfig itself", async () => {
  await using collector = await startCollector("/hooks/audit?cluster=a");
  const output = await openWebhook(collector.kubeConfigFile);
  await output.deliver(outputBatch([outputEvent(0), outputEvent(1)]), signal);
  await output.close();
  const item = (n: number) => JSON.parse(outputEvent(n).bytes.toString());
  assert.deepEqual(collector.requests, [
    {
      url: "POST /hooks/audit?cluster=a",
      body: { kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {}, items: [item(0), item(1)] },
    },
  ]);
});

test("webhook: events are numbered, and after a crash have the numbers that they had", async () => {
  await using collector = await startCollector();
  const first = await openWebhook(collector.kubeConfigFile);
  await first.deliver(outputBatch([outputEvent(0), outputEvent(1)]), signal);
  const state = first.state?.();
  await first.deliver(outputBatch([outputEvent(2)]), signal);
  const second = await openWebhook(collector.kubeConfigFile, { ...newPipeline, state });
  await second.deliver(outputBatch([outputEvent(2), outputEvent(3)]), signal);
  await second.deliver(outputBatch([outputEvent(4)]), signal);
  const source = (state as { readonly source: string }).source;
  assert.match(source, /^[-0-9a-f]{36}$/);
  assert.deepEqual(
    collector.numbers,
    [0, 2, 2, 4].map((number) => `${source} ${number}`),
  );
});

test("OTLP: an event is a log record with the attributes of the conventions", async () => {
  await using collector = await startCollector();
  const output = await openOtlp(collector.kubeConfigFile);
  const event = outputEvent(7, {
    requestURI: "/api/v1/namespaces/shop/pods?limit=5",
    verb: "list",
    user: { username: "alice", uid: "u1", groups: ["dev", "ops"] },
    userAgent: "kubectl/v1.29",
    sourceIPs: ["10.0.0.1", "10.0.0.2"],
    objectRef: { resource: "pods", namespace: "shop", apiVersion: "v1" },
    responseStatus: { code: 403 },
    stageTimestamp: "2026-11-22T10:00:00.123456Z",
    annotations: { "authorization.k8s.io/decision": "forbid" },
  });
  await output.deliver(outputBatch([event]), signal);
  await output.close();
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
  const digest = Buffer.from(event.digest, "latin1").toString("hex");
  assert.deepEqual(collector.requests, [
    {
      url: "POST /v1/logs",
      body: {
        resourceLogs: [
          {
            resource: { attributes: [text("service.name", "gatehouse-audit-sink"), text("k8s.cluster.name", "a")] },
            scopeLogs: [
              {
                scope: { name: "gatehouse-audit-sink", version: "0.1.0" },
                logRecords: [
                  {
                    timeUnixNano: "1795341600123456000",
                    observedTimeUnixNano: "1700000000000000000",
                    severityNumber: 13,
                    severityText: "WARN",
                    eventName: "k8s.audit",
                    body: { stringValue: event.bytes.toString() },
                    attributes: [
                      text("log.record.uid", `cluster a/${digest}`),
                      text("user.name", "alice"),
                      text("user.id", "u1"),
                      {
                        key: "k8s.audit.user.groups",
                        value: { arrayValue: { values: [{ stringValue: "dev" }, { stringValue: "ops" }] } },
                      },
                      text("user_agent.original", "kubectl/v1.29"),
                      text("client.address", "10.0.0.1"),
                      text("url.path", "/api/v1/namespaces/shop/pods"),
                      text("url.query", "limit=5"),
                      { key: "http.response.status_code", value: { intValue: "403" } },
                      text("k8s.namespace.name", "shop"),
                      text("k8s.audit.id", "id-7"),
                      text("k8s.audit.level", "Metadata"),
                      text("k8s.audit.stage", "ResponseComplete"),
                      text("k8s.audit.verb", "list"),
                      text("k8s.audit.object.version", "v1"),
                      text("k8s.audit.object.resource", "pods"),
                      text("k8s.audit.decision", "forbid"),
                      text("k8s.audit.sender", "cluster a"),
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    },
  ]);
});

test("OTLP: records that the collector throws away are counted", async () => {
  await using collector = await startCollector();
  collector.answer = '{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too old"}}';
  const output = await openOtlp(collector.kubeConfigFile);
  assert.deepEqual(await output.deliver(outputBatch([outputEvent(0), outputEvent(1)]), signal), { rejected: 2 });
  collector.answer = "no JSON";
  assert.deepEqual(await output.deliver(outputBatch([outputEvent(0)]), signal), { rejected: 0 });
  await output.close();
});

test("what a server says of the content is a rejection, anything else a failure", async () => {
  await using collector = await startCollector();
  const output = await openWebhook(collector.kubeConfigFile);
  for (const status of [400, 413, 422]) {
    collector.status = status;
    await assert.rejects(
      async () => output.deliver(outputBatch([outputEvent(0)]), signal),
      new EventsRejectedError(`the server answered with status ${status}`),
    );
  }
  for (const status of [302, 401, 403, 404, 408, 429, 500, 503]) {
    collector.status = status;
    await assert.rejects(
      async () => output.deliver(outputBatch([outputEvent(0)]), signal),
      new Error(`the server answered with status ${status}`),
    );
  }
  await output.close();
});
