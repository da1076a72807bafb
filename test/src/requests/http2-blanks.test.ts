import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { connect } from "node:tls";
import { Http2Connection, noReceiver } from "@gatehouse/component-base/http2";
import { specServerWith } from "../spec/support/shared-server.js";

const review = '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}';
const reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

interface Http2Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request whose fields other clients would refuse to send. Resolves to the answer; rejects if it is reset. */
async function ask(method: string, path: string, fields: readonly string[], body = ""): Promise<Http2Answer> {
  const { server } = await specServerWith();
  const { certificateAuthorityPem: ca, clientCertificate } = server.clientConfig;
  const credentials = { cert: clientCertificate?.certificatePem, key: clientCertificate?.keyPem };
  const socket = connect({ host: "127.0.0.1", port: server.port, ca, ...credentials, ALPNProtocols: ["h2"] });
  await once(socket, "secureConnect");
  const client = new Http2Connection(socket, {
    listener: { onClose() {} },
    limits: { streamWindow: 65_535, connectionWindow: 65_535, maxListBytes: 100_000 },
  });
  try {
    return await new Promise((resolve, reject) => {
      let status = 0;
      let text = "";
      const head = [":method", method, ":scheme", "https", ":path", path, ":authority", "x", ...fields];
      const stream = client.request(head, body === "", {
        ...noReceiver,
        onHead: ([, value]) => {
          status = Number(value);
        },
        onData: (bytes) => {
          text += bytes.toString();
        },
        onEnd: () => resolve({ status, text }),
        onClose: (code) => reject(new Error(`reset with ${code}`)),
      });
      if (body !== "") {
        stream.end(Buffer.from(body));
      }
    });
  } finally {
    client.destroy();
  }
}

describe("Blanks around values of HTTP/2 are as v1.29 takes them", () => {
  for (const blank of [" ", "\t", "  "]) {
    const around = (value: string): string => `${blank}${value}${blank}`;

    it(`${JSON.stringify(blank)} is a part of the name of a user, a group and an extra`, async () => {
      const impersonation = ["impersonate-user", around("jane"), "impersonate-group", around("g")];
      const fields = ["content-type", "application/json", ...impersonation, "impersonate-extra-a", around("x")];
      const { status, text } = await ask("POST", reviews, fields, review);
      assert.equal(status, 201);
      assert.deepEqual(JSON.parse(text).status.userInfo, {
        username: around("jane"),
        groups: [around("g"), "system:authenticated"],
        extra: { a: [around("x")] },
      });
    });

    it(`${JSON.stringify(blank)} has no meaning around a media type and in fields that nobody reads`, async () => {
      const fields = ["x-ordinary", around("a"), "x-ordinary", blank, "cookie", around("a=1"), "host", around("b")];
      const posted = await ask("POST", reviews, ["content-type", around("application/json"), ...fields], review);
      assert.equal(posted.status, 201);
      const asYaml = await ask("GET", "/api/v1/namespaces/default", ["user-agent", around("u"), ...fields]);
      assert.equal(asYaml.status, 200);
    });
  }

  it("a space is a part of a path, and of a query", async () => {
    const { status, text } = await ask("GET", "/api/v1/namespaces/default ", []);
    assert.equal(status, 404);
    assert.equal(JSON.parse(text).message, 'namespaces "default " not found');
    assert.equal((await ask("GET", "/version?a= b HTTP/1.1", [])).status, 200);
  });

  it("a patch of a type with spaces around is none that is known", async () => {
    const { status } = await ask(
      "PATCH",
      "/api/v1/namespaces/default",
      ["content-type", " application/merge-patch+json "],
      "{}",
    );
    assert.equal(status, 415);
  });

  for (const [what, method, path, fields, body] of [
    ["a tab in a path", "GET", "/version\t", [], ""],
    ["a space before a path", "GET", " /version", [], ""],
    ["a control character in a value", "GET", "/version", ["a", "\x01"], ""],
    ["a length with a space", "POST", reviews, ["content-length", `${review.length} `], review],
  ] as const) {
    it(`${what} ends the stream`, async () => {
      await assert.rejects(ask(method, path, fields, body), /reset with 1$/);
    });
  }
});
