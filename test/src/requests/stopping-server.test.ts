import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:http2";
import { request } from "node:https";
import { describe, it } from "node:test";
import { eventually } from "@gatehouse/testing/eventually";
import { createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";

describe("A server that stops", () => {
  it("ends watches whole, tells HTTP/2 clients to go away, and waits for no idle connection", async () => {
    // Without the grace period of an hour, a connection that is not closed would only make the end late.
    await using server = await startTestServer({ flags: ["--shutdown-grace-period=1h"] });
    using client = createApiClient(server.clientConfig);
    const watch = await client.watch("/api/v1/namespaces?watch=1&allowWatchBookmarks=true");
    assert.equal((await watch.next()).type, "ADDED");
    const session = connect(server.url, {
      ca: server.clientConfig.certificateAuthorityPem,
      cert: server.clientConfig.clientCertificate?.certificatePem,
      key: server.clientConfig.clientCertificate?.keyPem,
    });
    const stream = session.request({ ":path": "/api/v1/namespaces?watch=1" });
    await once(stream, "response");
    stream.resume();
    const goAway = once(session, "goaway");
    const streamEnd = once(stream, "end");
    const ended = server.kill("SIGTERM");
    const rest = await watch.rest();
    assert.equal(rest.at(-1)?.type, "BOOKMARK");
    await streamEnd;
    const [code] = await goAway;
    assert.equal(code, 0);
    assert.equal(await ended, 0);
  });

  it("serves during its delay, with only /readyz failing, until a second signal ends it at once", async () => {
    await using server = await startTestServer({ flags: ["--shutdown-delay-duration=1h"] });
    using client = createApiClient(server.clientConfig);
    const watch = await client.watch("/api/v1/namespaces?watch=1");
    const ended = server.kill("SIGTERM");
    await eventually(async () => assert.equal((await client.get("/readyz")).status, 500));
    assert.match((await client.get("/readyz")).text, /\n\[-\]shutdown failed: reason withheld\nreadyz check failed\n$/);
    const own = await client.get("/readyz/shutdown");
    assert.deepEqual([own.status, own.text], [500, "internal server error: process is shutting down\n"]);
    for (const path of ["/livez", "/healthz", "/api/v1/namespaces/default"]) {
      assert.equal((await client.get(path)).status, 200, path);
    }
    assert.equal((await client.post("/api/v1/namespaces", { metadata: { name: "late" } })).status, 201);
    assert.equal((await watch.next()).type, "ADDED");
    await server.kill("SIGTERM");
    assert.notEqual(await ended, 0);
  });

  it("answers new requests with 429 until those under way have ended, if it shall send Retry-After", async () => {
    await using server = await startTestServer({
      flags: [
        "--shutdown-send-retry-after",
        "--shutdown-grace-period=1h",
        "--shutdown-watch-termination-grace-period=1s",
      ],
    });
    using client = createApiClient(server.clientConfig);
    const watch = await client.watch("/api/v1/namespaces?watch=1&resourceVersion=0");
    const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "held" } });
    const held = request({
      ...{ host: server.clientConfig.server.hostname, port: server.clientConfig.server.port, method: "POST" },
      path: "/api/v1/namespaces/default/configmaps",
      ca: server.clientConfig.certificateAuthorityPem,
      cert: server.clientConfig.clientCertificate?.certificatePem,
      key: server.clientConfig.clientCertificate?.keyPem,
      headers: { "content-type": "application/json", "content-length": body.length, expect: "100-continue" },
    });
    held.flushHeaders();
    // The server asks for the body when the request is under way.
    await once(held, "continue");
    const ended = server.kill("SIGTERM");
    await eventually(async () => assert.equal((await client.get("/version")).status, 429));
    const refused = await client.get("/api/v1/namespaces/default");
    assert.equal(refused.text, "The apiserver is shutting down, please try again later.\n");
    assert.equal(refused.headers["retry-after"], "5");
    assert.equal(refused.headers.connection, "close");
    assert.equal((await client.get("/version", { "user-agent": "kube-apiserver/v1.29.0" })).status, 200);
    assert.equal((await client.get("/livez")).status, 200);
    assert.equal((await client.get("/readyz")).status, 500);
    await watch.rest();
    held.end(body);
    const [answer] = (await once(held, "response")) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 201);
    assert.equal(await ended, 0);
  });
});
