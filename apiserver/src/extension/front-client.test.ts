import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { FrontClient } from "./front-client.js";

const count = 150;
const megabyte = "a".repeat(1_000_000);
const limits: number[] = [];

/** Answers pages of as many objects of a megabyte as are asked for. */
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://front");
  const limit = Number(searchParams.get("limit"));
  limits.push(limit);
  const from = Number(searchParams.get("continue") ?? 0);
  const to = Math.min(from + limit, count);
  const metadata = { resourceVersion: "7", ...(to < count && { continue: String(to) }) };
  response.setHeader("content-type", "application/json");
  response.write(`{"apiVersion":"v1","kind":"ThingList","metadata":${JSON.stringify(metadata)},"items":[`);
  for (let index = from; index < to; index++) {
    response.write(`${index > from ? "," : ""}{"metadata":{"name":"${index}"},"text":"${megabyte}"}`);
  }
  response.end("]}");
});
let client: FrontClient;

before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  client = new FrontClient({ server: new URL(`http://127.0.0.1:${port}`), insecureSkipTlsVerify: false }, "test");
});
after(() => {
  client[Symbol.dispose]();
  server.closeAllConnections();
  server.close();
});

test("objects that are too large for a page of many are listed in smaller pages, each of them once", async () => {
  const names: string[] = [];
  const version = await client.list(
    "/things",
    "",
    ({ metadata }) => void names.push(String((metadata as { name: string }).name)),
    AbortSignal.timeout(60_000),
  );
  assert.equal(version, "7");
  assert.deepEqual(
    names,
    Array.from({ length: count }, (_, index) => String(index)),
  );
  assert.equal(limits[0], 500);
});
