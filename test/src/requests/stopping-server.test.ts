import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:http2";
import { describe, it } from "node:test";
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
});
