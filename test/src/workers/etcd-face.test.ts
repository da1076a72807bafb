import assert from "node:assert/strict";
import { test } from "node:test";
import { FaceClient } from "../etcd-face/face-under-test.js";
import { freePort } from "../support/free-port.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { untilServing } from "./workers-of-server.js";

test("of several workers the first one serves the etcd API, and its replacement does when it has ended", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  await using server = await startTestServer({ flags: ["--workers=2", `--listen-etcd-urls=${url}`] });
  const pids = await untilServing(server, 2);
  using client = await FaceClient.open(url);
  const { seen } = client.watch({ key: Buffer.from("face/"), rangeEnd: Buffer.from("face0") });
  await until("the watch is there", () => seen.length > 0);
  process.kill(pids.get(2) as number, "SIGKILL");
  await untilServing(server, 2, [pids.get(2) as number]);
  await client.put("face/a", "1");
  await until("the watch goes on after the end of another worker", () => seen.some(({ events }) => events.length > 0));
  process.kill(pids.get(1) as number, "SIGKILL");
  await untilServing(server, 2, [pids.get(1) as number]);
  using next = await FaceClient.open(url);
  assert.equal(String((await next.get("face/a"))?.value), "1");
});
