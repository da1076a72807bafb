import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { changeConfigMap, configMapsPath, createConfigMap, deleteConfigMap } from "../spec/support/fixtures.js";
import { serverProgram, spawnServer } from "../support/server-program.js";
import { type SmallDisk, smallDisk } from "../support/small-disk.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const noDisk = "a file system of its own can be mounted only by root, on Linux";
const refusal =
  /^Internal error occurred: the store cannot write: no space is left in the data directory \(.*\); it tries again by itself$/;

/** Appends to a file until the disk, which is full but for that file's last page, takes nothing more. */
function fillLastPage(file: string): void {
  try {
    for (;;) {
      appendFileSync(file, "\n");
    }
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
  }
}

async function createLarge(client: ApiClient, name: string) {
  return client.post(configMapsPath("default"), { metadata: { name }, data: { a: "x".repeat(200_000) } });
}

/** Takes all the space, and writes until the store can no longer do so without. */
async function exhaust(disk: SmallDisk, client: ApiClient) {
  disk.fill();
  return until("a write is refused", async () => {
    const answer = await createLarge(client, `large-${Math.random().toString(36).slice(2)}`);
    return answer.status === 201 ? undefined : answer;
  });
}

/** Deletions take pages, too, until they give some back: those of many earlier ones are left for them. */
async function leavePages(client: ApiClient): Promise<void> {
  const names = Array.from({ length: 400 }, (_, index) => `short-lived-${index}`);
  await Promise.all(names.map((name) => createConfigMap(client, "default", name, { data: { a: "x".repeat(1000) } })));
  for (const name of names) {
    await deleteConfigMap(client, "default", name);
  }
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

test("a full disk fails writes and nothing else, until there is space again", async (t) => {
  await using disk = await smallDisk(12);
  if (disk === undefined) {
    return t.skip(noDisk);
  }
  await using server = await startTestServer({
    dataDirectory: join(disk.path, "data"),
    flags: ["--event-ttl=3s", "--controllers=*"],
  });
  using client = createApiClient(server.clientConfig);
  await until("the controllers have made what they make", async () => {
    return (await client.get("/api/v1/namespaces/default/serviceaccounts/default")).status === 200;
  });
  await leavePages(client);
  const { metadata } = await createConfigMap(client, "default", "whole", { data: { a: "1" } });
  await createConfigMap(client, "default", "doomed");
  using watch = await client.watch(
    configMapsPath("default", "", `watch=1&resourceVersion=${metadata.resourceVersion}`),
  );
  assert.equal((await watch.next()).object.metadata.name, "doomed");
  const event = { metadata: { name: "expiring" }, involvedObject: { namespace: "default" } };
  assertCode(await client.post("/api/v1/namespaces/default/events", event), 201);

  const refused = await exhaust(disk, client);
  assert.equal(refused.status, 500);
  const { message, ...status } = refused.document;
  assert.deepEqual(status, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    reason: "InternalError",
    details: { causes: [{ message: message?.slice("Internal error occurred: ".length) }] },
    code: 500,
  });
  assert.match(message ?? "", refusal);

  const patched = await client.patch(configMapsPath("default", "whole"), "application/merge-patch+json", {
    data: { a: "2" },
  });
  assert.deepEqual([patched.status, patched.document.reason], [500, "InternalError"], "a small write, too");
  assert.deepEqual((await client.get(configMapsPath("default", "whole"))).document.data, { a: "1" });
  assertCode(await client.get(configMapsPath("default")), 200);
  await deleteConfigMap(client, "default", "doomed");
  for (;;) {
    const { type, object } = await watch.next();
    if (type === "DELETED") {
      assert.equal(object.metadata.name, "doomed");
      break;
    }
  }
  await until("the event expires", async () => {
    return (await client.get("/api/v1/namespaces/default/events/expiring")).status === 404;
  });
  assert.equal((await client.get("/livez")).text, "ok");
  const readyz = await client.get("/readyz");
  assert.equal(readyz.status, 500);
  assert.match(readyz.text, /\n\[-\]store-writes failed: reason withheld\n/);
  const { text } = await client.get("/readyz/store-writes");
  assert.match(text, /^internal server error: the store cannot write: no space is left in the data directory /);

  disk.free();
  await until("writes work again", async () => (await createLarge(client, "after")).status === 201);
  assert.equal((await client.get("/readyz")).text, "ok");
  await changeConfigMap(client, "default", "whole", { a: "3" });
  assert.equal(count(server.logs.text(), "the store cannot write; reads go on"), 1, "one line when it begins");
  assert.equal(count(server.logs.text(), "the store can write again"), 1, "one line when it ends");
});

test("a server whose log is a file on the full disk goes on, and logs again when there is space", async (t) => {
  await using disk = await smallDisk(12);
  if (disk === undefined) {
    return t.skip(noDisk);
  }
  // Only for its certificates, and a port of its own.
  await using template = await startTestServer();
  using client = createApiClient(template.clientConfig);
  await template.kill("SIGTERM");
  const logFile = join(disk.path, "server.log");
  const log = openSync(logFile, "a");
  const flags = [
    "--bind-address=127.0.0.1",
    `--secure-port=${template.port}`,
    `--tls-cert-file=${template.certificates.serverCertFile}`,
    `--tls-private-key-file=${template.certificates.serverKeyFile}`,
    `--client-ca-file=${template.certificates.caFile}`,
    `--data-dir=${join(disk.path, "data")}`,
    ...template.certificates.serviceAccountFlags,
  ];
  const child = spawn(process.execPath, [serverProgram.script, ...flags], { stdio: ["ignore", log, log] });
  closeSync(log);
  const ended = once(child, "exit");
  try {
    await until("the server is ready", async () => {
      assert.equal(child.exitCode, null, await readFile(logFile, "utf8"));
      return await client.get("/readyz").then(
        ({ status }) => status === 200,
        () => false,
      );
    });
    // The store's library reports each commit that fails on standard error. The second report used to end the process.
    for (const round of [1, 2, 3]) {
      disk.fill();
      fillLastPage(logFile);
      await exhaust(disk, client);
      disk.free();
      await until("writes work again", async () => (await createLarge(client, `after-${round}`)).status === 201);
    }
    assert.equal(child.exitCode, null);
    const before = await readFile(logFile, "utf8");
    child.kill("SIGTERM");
    assert.deepEqual(await ended, [0, null]);
    assert.match((await readFile(logFile, "utf8")).slice(before.length), /shut down/);
  } finally {
    child.kill("SIGKILL");
  }
});

test("a server that starts on a full disk serves reads, and writes when there is space", async (t) => {
  await using disk = await smallDisk(12);
  if (disk === undefined) {
    return t.skip(noDisk);
  }
  await using server = await startTestServer({ dataDirectory: join(disk.path, "data") });
  using client = createApiClient(server.clientConfig);
  await createConfigMap(client, "default", "whole", { data: { a: "1" } });
  await exhaust(disk, client);
  await server.kill("SIGTERM");
  disk.fill();
  let log = "";
  // Not `server.restart`, which waits until the server is ready: it may not be.
  const flags = [
    "--bind-address=127.0.0.1",
    `--secure-port=${server.port}`,
    `--tls-cert-file=${server.certificates.serverCertFile}`,
    `--tls-private-key-file=${server.certificates.serverKeyFile}`,
    `--client-ca-file=${server.certificates.caFile}`,
    `--data-dir=${join(disk.path, "data")}`,
    ...server.certificates.serviceAccountFlags,
    // Another range than before: its allocation must be written at the start, and cannot be.
    "--service-node-port-range=31000-31999",
  ];
  const again = spawnServer(flags, (text) => {
    log += text;
  });
  try {
    await again.serving;
    assert.deepEqual((await client.get(configMapsPath("default", "whole"))).document.data, { a: "1" });
    assertCode(await client.get(configMapsPath("default")), 200);
    assert.equal((await client.get("/livez")).text, "ok");
    disk.free();
    await until("writes work", async () => (await createLarge(client, "after")).status === 201);
    const service = { metadata: { name: "s" }, spec: { type: "NodePort", ports: [{ port: 80 }] } };
    await until("services can be made", async () => {
      return (await client.post("/api/v1/namespaces/default/services", service)).status === 201;
    });
  } finally {
    assert.equal(await again.kill("SIGTERM"), 0, log);
  }
});
