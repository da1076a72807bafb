import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createApiClient } from "../spec/support/api-client.js";
import { assertCode, assertStatus } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap, versionOf } from "../spec/support/fixtures.js";
import { flipBytesAt } from "../support/damage-file.js";
import { startTestServer } from "../support/start-test-server.js";

const serverScript = fileURLToPath(new URL("main.js", import.meta.resolve("@gatehouse/server")));

function check(directory: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [serverScript, "check", "--data-dir", directory], {
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

test("a damaged object is a 500 that names it, and everything whole is served", async () => {
  await using server = await startTestServer();
  using client = createApiClient(server.clientConfig);
  const key = "/registry/configmaps/default/broken";
  await createConfigMap(client, "default", "whole", { data: { a: "1" } });
  const broken = await createConfigMap(client, "default", "broken", {
    data: { a: `the text to be damaged ${"x".repeat(100)}` },
  });
  await createConfigMap(client, "kube-system", "elsewhere");
  assert.match(check(server.dataDirectory).stderr, /a server has .* open/);
  await server.kill("SIGTERM");
  const before = check(server.dataDirectory);
  assert.deepEqual([before.code, before.stderr], [0, ""]);
  assert.match(before.stdout, /\nwhole: \d+ keys \(\d+ bytes\)\ndamaged: 0 keys, 0 other problems\n$/);

  assert.ok((await flipBytesAt(join(server.dataDirectory, "data.mdb"), "the text to be damaged")) > 0);
  const after = check(server.dataDirectory);
  assert.equal(after.code, 1);
  assert.match(
    after.stdout,
    new RegExp(
      `\\ndamaged: 1 keys, 0 other problems\\n  key "${key}" \\(revision ${versionOf(broken)}\\): the record does not match its checksum\\n$`,
    ),
  );

  await server.restart();
  const problem = `the stored data of "${key}" at revision ${versionOf(broken)} is damaged: the record does not match its checksum`;
  const status = {
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${problem}`,
    details: { causes: [{ message: problem }] },
  };
  assertStatus(await client.get(configMapsPath("default", "broken")), status);
  assertStatus(await client.delete(configMapsPath("default", "broken")), status);
  assertStatus(await client.get(configMapsPath("default")), status);
  assertStatus(await client.get("/api/v1/configmaps?limit=500"), status);
  assert.deepEqual((await client.get(configMapsPath("default", "whole"))).document.data, { a: "1" });
  assertCode(await client.get(configMapsPath("kube-system")), 200);
  assertCode(await client.get(configMapsPath("default", "", "fieldSelector=metadata.name%3Dwhole")), 200);
  await createConfigMap(client, "default", "new");
  assert.equal((await client.post(configMapsPath("default"), { metadata: { name: "broken" } })).status, 500);

  assert.equal((await client.get("/livez")).text, "ok");
  assert.equal((await client.get("/readyz")).text, "ok");
  const healthz = await client.get("/healthz");
  assert.equal(healthz.status, 500);
  assert.match(healthz.text, /\n\[\+\]store-writes ok\n\[-\]store-integrity failed: reason withheld\n/);
  assert.equal((await client.get("/healthz/store-integrity")).text, `internal server error: ${problem}\n`);
  assert.equal(server.logs.text().split("stored data is damaged").length, 2, "one line");
});

test("check tells what it cannot read", async () => {
  const { code, stdout, stderr } = check("/nonexistent/directory");
  assert.deepEqual([code, stdout], [2, ""]);
  assert.equal(stderr, "/nonexistent/directory cannot be checked: there is no such directory\n");
});
