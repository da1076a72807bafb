import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ControlPlane } from "@gatehouse/testing";
import { withoutAdmission } from "../support/admission-flags.js";
import { createHookPki } from "../support/hook-server.js";
import { type RunningCommand, startCommand } from "../support/running-command.js";
import { startTestServer } from "../support/start-test-server.js";
import { generousMs, until } from "../support/until.js";

// A hook server that somebody has written in Go, with Go's HTTP and TLS, behind our API server.

const run = promisify(execFile);

// Go compiles its own library when it is first asked for it, so this is a part of `npm run soak`.
const isAsked = process.env["GO_HOOK"] === "1";
const hasGo = isAsked && spawnSync("go", ["version"]).error === undefined;
const skip = hasGo ? false : isAsked ? "no go on PATH" : "a part of npm run soak";
const source = fileURLToPath(new URL("../../hooks/go", import.meta.url));
const signal = new AbortController().signal;

let folder: string;
let server: ControlPlane;
let hook: RunningCommand;

before(async () => {
  if (skip !== false) {
    return;
  }
  folder = await mkdtemp(join(tmpdir(), "gatehouse-go-hook-"));
  const { caFile } = await createHookPki(folder);
  const file = (name: string): string => join(folder, "hooks", name);
  // Nothing is downloaded: the hook needs the standard library only.
  const env = { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: "off" };
  await run("go", ["build", "-o", file("hook"), "."], { cwd: source, env });
  hook = startCommand(`exec '${file("hook")}' '${file("server.crt")}' '${file("server.key")}'`);
  await until("the hook listens", () => /^\d+\n/.test(hook.stdout()));
  server = await startTestServer({ flags: [withoutAdmission] });
  const url = `https://127.0.0.1:${hook.stdout().trim()}`;
  const caBundle = (await readFile(caFile)).toString("base64");
  for (const [kind, path] of [
    ["Mutating", "mutate"],
    ["Validating", "validate"],
  ] as const) {
    const { status } = await send(
      "POST",
      `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`,
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: `${kind}WebhookConfiguration`,
        metadata: { name: "go" },
        webhooks: [
          {
            name: `${path}.go.example.com`,
            admissionReviewVersions: ["v1"],
            sideEffects: "None",
            clientConfig: { url: `${url}/${path}`, caBundle },
            rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
          },
        ],
      },
    );
    assert.equal(status, 201);
  }
});

after(async () => {
  await hook?.stop();
  await server?.stop();
  if (folder !== undefined) {
    await rm(folder, { recursive: true });
  }
});

interface Answer {
  readonly message?: string;
  readonly metadata: { readonly name?: string; readonly labels?: object };
}

async function send(method: string, path: string, body: object) {
  const answer = await server.client.requestJson({ method, path, body, signal, timeoutMs: generousMs });
  const { status, headers } = answer;
  return { status, headers, body: answer.body as Answer };
}

const create = (name: string, data: object, labels?: object) =>
  send("POST", "/api/v1/namespaces/default/configmaps", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, ...(labels === undefined ? {} : { labels }) },
    data,
  });

test("what a hook written in Go adds is stored, and its warnings are heard", { skip }, async () => {
  const { status, headers, body } = await create("plain", { a: "b" });
  assert.equal(status, 201);
  assert.equal(headers["warning"], '299 - "looked at by Go"');
  assert.deepEqual(body.metadata.labels, { by: "go" });
  const { body: labelled } = await create("labelled", { a: "b" }, { app: "x" });
  assert.deepEqual(labelled.metadata.labels, { app: "x", by: "go" });
});

test("what a hook written in Go denies is denied with its code, reason and words", { skip }, async () => {
  const { status, body } = await create("denied", { deny: "not today" });
  assert.equal(status, 422);
  assert.deepEqual(body, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: 'admission webhook "validate.go.example.com" denied the request: not today',
    reason: "Invalid",
    code: 422,
  });
});

test("twenty calls at a time of a hook written in Go all get their own answers", { skip }, async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => create(`many-${index}`, index % 2 === 0 ? {} : { deny: `no ${index}` })),
  );
  assert.deepEqual(
    answers.map(({ status, body }) => [status, status === 201 ? body.metadata.name : body.message]),
    answers.map((_, index) =>
      index % 2 === 0
        ? [201, `many-${index}`]
        : [422, `admission webhook "validate.go.example.com" denied the request: no ${index}`],
    ),
  );
});
