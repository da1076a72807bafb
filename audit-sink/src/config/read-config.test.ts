import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { readConfig } from "./read-config.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-sink-config-"));
after(() => rm(folder, { recursive: true }));
const file = join(folder, "sink.yaml");
const head = "apiVersion: config.gatehouse.dev/v1alpha1\nkind: AuditSinkConfiguration\n";

async function read(text: string) {
  await writeFile(file, head + text);
  return await readConfig(file);
}

async function problemsOf(text: string): Promise<readonly string[]> {
  try {
    await read(text);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.problems.map(({ message }) => message);
  }
  return [];
}

test("what is left out has its default, and files are relative to the configuration", async () => {
  const config = await read(`
serving: {certFile: tls.crt, keyFile: tls.key, clientCAFile: null}
senders: [{name: cluster-a, tokenFile: tokens}]
log: {directory: log, retention: {maxBytes: 1Gi}}
pipelines: [{name: archive, output: {file: {path: audit.log}}}]
`);
  assert.deepEqual(config, {
    serving: {
      host: "0.0.0.0",
      port: 8447,
      certFile: join(folder, "tls.crt"),
      keyFile: join(folder, "tls.key"),
      clientCaFile: undefined,
    },
    senders: [{ name: "cluster-a", commonNames: [], tokenFile: join(folder, "tokens") }],
    anySender: false,
    readers: [],
    anyReader: false,
    intake: {
      maxBodyBytes: 64 * 2 ** 20,
      maxEventBytes: 8 * 2 ** 20,
      maxPendingBytes: 256 * 2 ** 20,
      requestTimeoutMs: 30_000,
      duplicateWindow: 1_000_000,
    },
    log: {
      directory: join(folder, "log"),
      segmentBytes: 64 * 2 ** 20,
      retention: { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: 2 ** 30 },
      undelivered: { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY },
    },
    gapAfterMs: 60_000,
    pipelines: [
      {
        name: "archive",
        policy: undefined,
        redact: [],
        batching: { maxEvents: 400, maxBytes: 4 * 2 ** 20, maxWaitMs: 1000 },
        retry: { initialBackoffMs: 500, maxBackoffMs: 30_000, timeoutMs: 30_000 },
        startAtEnd: false,
        output: {
          type: "file",
          file: {
            path: join(folder, "audit.log"),
            maxBytes: 100 * 2 ** 20,
            maxAgeMs: Number.POSITIVE_INFINITY,
            maxFiles: Number.POSITIVE_INFINITY,
            keepForMs: Number.POSITIVE_INFINITY,
            compress: true,
          },
        },
      },
    ],
    index: undefined,
    console: { clusterName: "", accent: "teal", tokenHint: "" },
  });
});

test("problems of shape are told all at once, with their paths", async () => {
  assert.deepEqual(
    await problemsOf(
      "serving: {certFile: 1, keyFile: a, port: high}\nlog: {dir: x}\npipelines: [{name: a, outputs: {}}]",
    ),
    [
      "serving.port: must be integer",
      "serving.certFile: must be string",
      "log.directory: is required",
      "log.dir: is not a member of this kind",
      "pipelines[0].output: is required",
      "pipelines[0].outputs: is not a member of this kind",
    ],
  );
});

test("the console is given a name, a colour and a hint, within bounds", async () => {
  const rest = "serving: {certFile: a, keyFile: b}\nanySender: true\nlog: {directory: log}\n";
  const { console } = await read(`${rest}console: {clusterName: production, accent: violet, tokenHint: in the vault}`);
  assert.deepEqual(console, { clusterName: "production", accent: "violet", tokenHint: "in the vault" });
  assert.deepEqual(await problemsOf(`${rest}console: {clusterName: "${"x".repeat(201)}", accent: red}`), [
    "console.clusterName: must have 200 characters at most",
    "console.accent: must be one of teal, indigo, violet, magenta, slate",
  ]);
});

test("problems of values are told all at once, with their paths", async () => {
  await writeFile(join(folder, "policy.yaml"), "apiVersion: audit.k8s.io/v1\nkind: Policy\nrule: []\n");
  assert.deepEqual(
    await problemsOf(`
serving: {certFile: "", keyFile: k, port: 70000}
readers: [{name: a}, {name: a, commonNames: [x]}]
intake: {maxBodyBytes: 3, maxEventBytes: lots, requestTimeout: soon}
log: {directory: log, segmentBytes: 1}
pipelines:
- {name: Big, output: {}, policyFile: policy.yaml}
- {name: b, output: {stdout: {}, file: {path: ""}}, batching: {maxEvents: 0}, policyFile: none.yaml}
- {name: b, redact: ["a..b"], policy: {rules: []}, output: {nats: {servers: ["http://x"], subject: "a.*"}}}
- {name: c, policy: {rules: [{level: All}, {level: None, nonResourceURLs: [x]}]}, output: {stdout: {}}}
`),
    [
      "serving.port: must be between 0 and 65535",
      "serving.certFile: must not be empty",
      "readers[0]: needs commonNames or a tokenFile",
      'readers[1].name: "a" stands there twice',
      "readers[1].commonNames: needs serving.clientCAFile",
      "intake.maxBodyBytes: must be at least 1024 bytes",
      'intake.maxEventBytes: "lots" is no quantity of bytes, such as 64Mi',
      'intake.requestTimeout: "soon" is no duration, such as 1m30s',
      "log.segmentBytes: must be at least 65536 bytes",
      "pipelines[0].name: must be lower-case letters, digits and hyphens, at most 63",
      `pipelines[0].policyFile: ${join(folder, "policy.yaml")}: rules: is required`,
      `pipelines[0].policyFile: ${join(folder, "policy.yaml")}: rule: is not a member of this kind`,
      "pipelines[0].output: must have exactly one of file, stdout, webhook, otlp, nats",
      `pipelines[1].policyFile: ${join(folder, "none.yaml")}: file: cannot be read (ENOENT)`,
      "pipelines[1].batching.maxEvents: must be at least 1",
      "pipelines[1].output: must have exactly one of file, stdout, webhook, otlp, nats",
      "pipelines[1].output.file.path: must not be empty",
      'pipelines[2].name: "b" stands there twice',
      "pipelines[2].policy: rules: must not be empty",
      'pipelines[2].redact[0]: "a..b" is no path, such as requestObject.data',
      "pipelines[2].output.nats.servers[0]: must begin with nats:// or tls://",
      "pipelines[2].output.nats.subject: must be words divided by dots, without wildcards",
      'pipelines[3].policy: rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
      `pipelines[3].policy: rules[1].nonResourceURLs[0]: Invalid value: "x": non-resource URL rules must begin with a '/' character`,
      "senders: nobody may send events: name senders, or set anySender",
    ],
  );
});
