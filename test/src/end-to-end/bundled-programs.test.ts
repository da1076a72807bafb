import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { apiserverScript, gatehouseScript } from "../support/programs.js";
import { type RunningCommand, startCommand } from "../support/running-command.js";
import { showLogOnFailure } from "../support/show-log-on-failure.js";
import { until } from "../support/until.js";

const run = promisify(execFile);
const asked = { signal: new AbortController().signal, timeoutMs: 60_000 };

const folder = mkdtempSync(join(tmpdir(), "gatehouse-bundle-"));
let stack: RunningCommand;
let client: HttpClient;
before(async () => {
  stack = startCommand(`exec '${process.execPath}' '${gatehouseScript}' --data-dir '${folder}' --port=0`);
  showLogOnFailure(() => `${stack.stdout()}${stack.stderr()}`);
  await until("the stack is ready", () => stack.stdout().includes("Ctrl-C stops everything"));
  client = createHttpClient({ config: await loadKubeconfig(join(folder, "kubeconfig")) });
});
after(async () => {
  client?.[Symbol.dispose]();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("both commands can be executed as files", async () => {
  for (const script of [gatehouseScript, apiserverScript]) {
    accessSync(script, constants.X_OK);
    assert.match((await run(script, ["--version"])).stdout, / v\d+\.\d+\.\d+/);
  }
});

test("the parts that a bundled server loads when they are first needed are there: YAML, metrics, OpenAPI, JSON logs", async () => {
  const get = async (path: string, accept: string): Promise<Buffer> => {
    const answer = await client.request({ ...asked, path, headers: { accept } });
    assert.equal(answer.status, 200, path);
    return answer.body;
  };
  const created = await client.request({
    ...asked,
    method: "POST",
    path: "/api/v1/namespaces/default/configmaps",
    headers: { "content-type": "application/yaml" },
    body: Buffer.from("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: of-yaml}\n"),
  });
  assert.equal(created.status, 201);
  assert.match((await get("/metrics", "text/plain")).toString(), /^process_cpu_seconds_total/m);
  assert.equal(JSON.parse((await get("/openapi/v2", "application/json")).toString()).swagger, "2.0");
  const protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  assert.ok((await get("/openapi/v2", protobuf)).includes("io.k8s.api.core.v1.Pod"));
  assert.ok(
    (await get("/api/v1/namespaces", "application/vnd.kubernetes.protobuf"))
      .subarray(0, 4)
      .equals(Buffer.from("k8s\0")),
  );

  const key = join(folder, "pki", "service-accounts.key");
  const flags = [
    "--logging-format=json",
    "--data-dir=/dev/null/none",
    `--cert-dir=${join(folder, "own")}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
  ];
  const { stderr } = await run(apiserverScript, flags).then(
    () => assert.fail("it cannot start there"),
    (error: { readonly stderr: string }) => error,
  );
  assert.match(stderr, /^\{"level":"info",.*"msg":"no certificate was given/);
});
