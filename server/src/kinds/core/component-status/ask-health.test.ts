import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { askHealth } from "./ask-health.js";

test("a component is what it says of itself, and what cannot be asked is told in Go's words", async (context) => {
  const answers = new Map([
    ["/healthz", 200],
    ["/broken", 503],
  ]);
  const component = createServer(({ url = "", headers }, response) => {
    assert.equal(headers["user-agent"], "kube-probe/1.29");
    response.writeHead(answers.get(url) ?? 404).end("ok");
  });
  context.after(() => component.close());
  component.listen(0, "127.0.0.1");
  await once(component, "listening");
  const address = `127.0.0.1:${(component.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  assert.deepEqual(await askHealth(`http://${address}/healthz`, signal), { isHealthy: true, message: "ok" });
  assert.deepEqual(await askHealth(`http://${address}/broken`, signal), {
    isHealthy: false,
    message: "HTTP probe failed with statuscode: 503",
  });
  const closed = once(component, "close");
  component.close();
  component.closeAllConnections();
  await closed;
  assert.deepEqual(await askHealth(`http://${address}/healthz`, signal), {
    isHealthy: false,
    message: `Get "http://${address}/healthz": dial tcp ${address}: connect: connection refused`,
  });
});
