import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:http2";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { configMapsPath, createConfigMap, freshNamespace } from "../spec/support/fixtures.js";
import { specServerWith } from "../spec/support/shared-server.js";

describe("Clients that go away", () => {
  it("a list that nobody reads is given up when its time is over", async () => {
    const { client, server } = await specServerWith("--request-timeout=4s");
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

  it("no more is deleted for a client that has gone away", async () => {
    const { client, server } = await specServerWith("--delete-collection-workers=1");
    const namespace = await freshNamespace(client);
    const count = 2000;
    for (let first = 0; first < count; first += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => createConfigMap(client, namespace, `c${first + index}`)),
      );
    }
    const left = async (): Promise<number> => {
      const { metadata, items } = (await client.get(`${configMapsPath(namespace)}?limit=1`)).document;
      return (metadata.remainingItemCount ?? 0) + (items as readonly unknown[]).length;
    };

    const session = connect(server.url, {
      ca: server.clientConfig.certificateAuthorityPem,
      cert: server.clientConfig.clientCertificate?.certificatePem,
      key: server.clientConfig.clientCertificate?.keyPem,
    });
    session.request({ ":method": "DELETE", ":path": configMapsPath(namespace) }).on("error", () => {});
    for (const end = performance.now() + 60_000; (await left()) === count; ) {
      assert.ok(performance.now() < end, "nothing is deleted");
      await sleep(1);
    }
    session.destroy();

    let before = -1;
    let now = await left();
    while (now !== before) {
      await sleep(200);
      before = now;
      now = await left();
    }
    assert.ok(now > 0 && now < count, `${now} of ${count} are left`);
  });
});
