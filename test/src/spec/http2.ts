import assert from "node:assert/strict";
import { connect } from "node:http2";
import { describe, it } from "node:test";
import { configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { http2Request } from "./support/http2-request.js";
import { specServerWith } from "./support/shared-server.js";

describe("HTTP/2", { concurrency: 16 }, () => {
  it("Errors, 406 Not Acceptable: over HTTP/2 a refusal ends the stream though the large body was not read", async () => {
    const { server } = await specServerWith();
    const body = Buffer.alloc(2_000_000, " ");
    const answer = await http2Request(
      server.clientConfig,
      {
        ":method": "POST",
        ":path": configMapsPath("default"),
        accept: "text/html",
        "content-type": "application/json",
        "content-length": body.length,
      },
      body,
    );
    assert.equal(answer.document.reason, "NotAcceptable");
    assert.equal(
      answer.document.message,
      "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
    assert.equal(answer.status, 406);
  });

  it("HTTP/2: large answers that a client has not read yet do not keep others on the connection from being served", async () => {
    const { server, client } = await specServerWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "large", { data: { k: "x".repeat(900_000) } });
    const session = connect(server.url, {
      ca: server.certificates.authority.certificatePem,
      cert: server.clientConfig.clientCertificate?.certificatePem,
      key: server.clientConfig.clientCertificate?.keyPem,
    });
    try {
      const open = (path: string) => {
        const stream = session.request({ ":path": path });
        return new Promise<number>((resolve, reject) => {
          stream.on("response", (headers) => resolve(Number(headers[":status"])));
          stream.on("error", reject);
        });
      };
      for (let count = 0; count < 60; count++) {
        assert.equal(await open(configMapsPath(namespace, "large")), 200);
      }
    } finally {
      session.destroy();
    }
  });
});
