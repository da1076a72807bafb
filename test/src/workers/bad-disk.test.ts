import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap } from "../spec/support/fixtures.js";
import { flipBytesAt } from "../support/damage-file.js";
import { smallDisk } from "../support/small-disk.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { isRunning, spreadClients, untilServing } from "./workers-of-server.js";

const workers = 2;
const flags = [`--workers=${workers}`, "--controllers=*,-bootstrap-roles"];
const configMaps = configMapsPath("default");

/** Stores something large under a new name. */
function createLarge(client: ApiClient) {
  const name = `large-${Math.random().toString(36).slice(2)}`;
  return client.post(configMaps, { metadata: { name }, data: { a: "x".repeat(200_000) } });
}

test("every worker refuses writes on a full disk and serves reads, and writes again when there is space", async (context) => {
  await using disk = await smallDisk(16);
  if (disk === undefined) {
    return context.skip("a file system of its own can be mounted only by root, on Linux");
  }
  await using server = await startTestServer({ dataDirectory: join(disk.path, "data"), flags });
  const pids = [...(await untilServing(server, workers)).values()];
  using spread = await spreadClients(server, workers * 2);
  const { clients } = spread;
  await createConfigMap(clients[0] as ApiClient, "default", "whole", { data: { a: "1" } });

  disk.fill();
  for (const client of clients) {
    const refused = await until("a write is refused", async () => {
      const answer = await createLarge(client);
      return answer.status === 201 ? undefined : answer;
    });
    assert.equal(refused.status, 500);
    assert.match(refused.text, /the store cannot write: no space is left in the data directory/);
  }
  for (const client of clients) {
    assert.deepEqual((await client.get(configMapsPath("default", "whole"))).document.data, { a: "1" });
    assertCode(await client.get(configMaps), 200);
    assert.equal((await client.get("/livez")).text, "ok");
    assert.equal((await client.get("/readyz")).status, 500);
  }

  disk.free();
  for (const client of clients) {
    await until("writes work again", async () => (await createLarge(client)).status === 201);
    await until("it is ready", async () => (await client.get("/readyz")).status === 200);
  }
  assert.ok(pids.every(isRunning), "no worker has ended");
});

test("every worker names a damaged object and serves the others", async () => {
  await using server = await startTestServer({ flags });
  const former = [...(await untilServing(server, workers)).values()];
  {
    using first = await spreadClients(server, 1);
    const [client] = first.clients as [ApiClient];
    await createConfigMap(client, "default", "whole", { data: { a: "1" } });
    await createConfigMap(client, "default", "broken", { data: { a: `to be damaged ${"x".repeat(100)}` } });
  }
  await server.kill("SIGTERM");
  assert.ok((await flipBytesAt(join(server.dataDirectory, "data.mdb"), "to be damaged")) > 0);
  await server.restart();
  const pids = [...(await untilServing(server, workers, former)).values()];
  using spread = await spreadClients(server, workers * 2);
  for (const client of spread.clients) {
    const broken = await client.get(configMapsPath("default", "broken"));
    assert.equal(broken.status, 500);
    assert.match(
      broken.text,
      /the stored data of \\"\/registry\/configmaps\/default\/broken\\" at revision \d+ is damaged/,
    );
    assertCode(await client.get(configMaps), 500);
    assert.deepEqual((await client.get(configMapsPath("default", "whole"))).document.data, { a: "1" });
    assert.equal((await client.get("/healthz")).status, 500);
    assert.equal((await client.get("/readyz")).text, "ok");
  }
  assert.ok(pids.every(isRunning), "no worker has ended");
});
