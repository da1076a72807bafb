import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:http2";
import { describe, it } from "node:test";
import { configMapsPath, createConfigMap, freshNamespace } from "../spec/support/fixtures.js";
import { specServerWith } from "../spec/support/shared-server.js";

describe("Clients that go away", () => {
  it("a list that nobody reads is given up when its time is over", async () => {
    const { client, server } = await specServerWith("--request-timeout=2s");
    const namespace = await freshNamespace(client);
    const data = { filler: "x".repeat(900_000) };
    for (let count = 0; count < 16; count++) {
      await createConfigMap(client, namespace, `c${count}`, { data });
    }
    const session = connect(server.url, {
      ca: server.clientConfig.certificateAuthorityPem,
      cert: server.clientConfig.clientCertificate?.certificatePem,
      key: server.clientConfig.clientCertificate?.keyPem,
    });
    const stream = session.request({ ":path": configMapsPath(namespace) });
    await once(stream, "response");
    stream.pause();
    await assert.rejects(once(stream, "close"), /NGHTTP2_INTERNAL_ERROR/);
    session.destroy();
    assert.equal((await client.get("/livez")).text, "ok");
  });
});
