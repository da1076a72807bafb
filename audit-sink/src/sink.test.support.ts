import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { Agent, type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, silentLogger } from "@gatehouse/component-base/logs";
import { ensureCertificate } from "@gatehouse/component-base/pki";
import type { AuditSinkConfig } from "./config/audit-sink-config.js";
import { resolveConfig } from "./config/read-config.js";
import { type RunningSink, startSink, stopParts } from "./sink.js";

/** A folder for a test file, with an authority and certificates in it; removed when the process ends. */
export interface TestFolder {
  readonly path: string;
  readonly caPem: string;
  /** A client certificate of the authority. */
  client(commonName: string): Promise<{ readonly cert: string; readonly key: string }>;
}

/** Makes `ca.crt`, `server.crt` and `server.key`, for 127.0.0.1. */
export async function testFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), "gatehouse-sink-"));
  // Hooks run in the order in which they were said: in one, this would come before a sink stops, which writes until then.
  process.once("exit", () => rmSync(path, { recursive: true, force: true }));
  const pair = (name: string) => ({ certFile: join(path, `${name}.crt`), keyFile: join(path, `${name}.key`) });
  const ca = await ensureCertificate({ subject: { kind: "authority", commonName: "ca" }, ...pair("ca") });
  await ensureCertificate({
    subject: { kind: "server", commonName: "sink", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] },
    issuer: ca,
    ...pair("server"),
  });
  return {
    path,
    caPem: ca.certificatePem,
    async client(commonName) {
      const subject = { kind: "client" as const, user: commonName, groups: [] };
      const made = await ensureCertificate({ subject, issuer: ca, ...pair(`client-${commonName}`) });
      return { cert: made.certificatePem, key: made.keyPem };
    },
  };
}

/** The configuration of a sink for tests: any sender and reader, a log of its own, and what `rest` says. */
export async function sinkConfig(
  folder: TestFolder,
  rest: Readonly<Record<string, unknown>>,
): Promise<AuditSinkConfig> {
  const content = {
    apiVersion: "config.gatehouse.dev/v1alpha1",
    kind: "AuditSinkConfiguration",
    serving: {
      bindAddress: "127.0.0.1",
      port: 0,
      certFile: "server.crt",
      keyFile: "server.key",
      clientCAFile: "ca.crt",
    },
    anySender: true,
    anyReader: true,
    log: { directory: await mkdtemp(join(folder.path, "log-")) },
    ...rest,
  };
  const document = { subject: "test", folder: folder.path, content: JSON.parse(JSON.stringify(content)) };
  return await resolveConfig(document);
}

/** Answer of a sink. */
export interface SinkAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A sink in this process. */
export interface TestSink extends AsyncDisposable {
  readonly port: number;
  /** Posts to the intake; a body that is no text is sent as JSON. */
  post(body: unknown, options?: RequestOptions): Promise<SinkAnswer>;
  get(path: string, options?: RequestOptions): Promise<SinkAnswer>;
}

/** Starts a sink. */
export async function testSink(
  folder: TestFolder,
  config: AuditSinkConfig,
  logger: Logger = silentLogger,
): Promise<TestSink> {
  const sink: RunningSink = await startSink(config, logger);
  const agent = new Agent({ keepAlive: true, ca: folder.caPem });
  const send = (method: string, path: string, body: string | Buffer, options: RequestOptions): Promise<SinkAnswer> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: sink.port,
          path,
          method,
          ca: folder.caPem,
          agent: options.cert === undefined ? agent : false,
          ...options,
          headers: {
            "content-type": "application/json",
            "content-length": Buffer.byteLength(body),
            ...options.headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  return {
    port: sink.port,
    post: (body, options = {}) =>
      send("POST", "/audit", typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body), options),
    get: (path, options = {}) => send("GET", path, "", options),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await stopParts(sink.parts, AbortSignal.timeout(5000));
    },
  };
}

/** The time of events: lately, since an index forgets what is older than a week. */
export const eventTime: string = new Date(Date.now() - 3_600_000).toISOString();

/** An event as an API server sends it: number `n` of a request. */
export function auditEvent(n: number, rest: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    level: "Metadata",
    auditID: `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`,
    stage: "ResponseComplete",
    requestURI: `/api/v1/namespaces/default/configmaps/cm-${n}`,
    verb: "get",
    user: { username: "alice", groups: ["system:authenticated"] },
    sourceIPs: ["10.0.0.1"],
    objectRef: { resource: "configmaps", namespace: "default", name: `cm-${n}`, apiVersion: "v1" },
    responseStatus: { metadata: {}, code: 200 },
    requestReceivedTimestamp: eventTime.replace("Z", "000Z"),
    stageTimestamp: eventTime.replace("Z", "000Z"),
    ...rest,
  };
}

/** An EventList of these events. */
export function eventList(items: readonly unknown[]): object {
  return { kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {}, items };
}

/** Resolves when the condition holds; rejects after a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > deadline) {
      throw new Error("the condition did not come to hold");
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
