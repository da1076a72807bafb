import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { connect } from "node:tls";
import { specServerWith } from "../spec/support/shared-server.js";

/** Writes `text` over HTTP/1.1 and resolves to everything that comes until the server ends the connection. */
async function exchange(text: string): Promise<string> {
  const { server } = await specServerWith();
  const { certificateAuthorityPem: ca, clientCertificate } = server.clientConfig;
  const credentials = { cert: clientCertificate?.certificatePem, key: clientCertificate?.keyPem };
  const socket = connect({ host: "127.0.0.1", port: server.port, ca, ...credentials, ALPNProtocols: ["http/1.1"] });
  socket.write(text);
  let received = "";
  for await (const chunk of socket) {
    received += String(chunk);
  }
  return received;
}

const rest = "Connection: close\r\n\r\n";

describe("HTTP/1.1", { concurrency: 8 }, () => {
  const rows: readonly (readonly [title: string, text: string, start: string, end: string])[] = [
    [
      "a request without Host is refused",
      `GET /healthz HTTP/1.1\r\n${rest}`,
      "HTTP/1.1 400 Bad Request\r\n",
      "400 Bad Request: missing required Host header",
    ],
    [
      "a request with two Hosts is refused",
      `GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n${rest}`,
      "HTTP/1.1 400 Bad Request\r\n",
      "\r\n400 Bad Request",
    ],
    [
      "a Host that can be none is refused",
      `GET /healthz HTTP/1.1\r\nHost: a b\r\n${rest}`,
      "HTTP/1.1 400 Bad Request\r\n",
      "400 Bad Request: malformed Host header",
    ],
    [
      "of an absolute URI the path counts",
      `GET https://x/healthz HTTP/1.1\r\nHost: y\r\n${rest}`,
      "HTTP/1.1 200 OK\r\n",
      "\r\nok",
    ],
    [
      "OPTIONS * is answered without a body",
      `OPTIONS * HTTP/1.1\r\nHost: x\r\n${rest}`,
      "HTTP/1.1 200 OK\r\n",
      "\r\n\r\n",
    ],
    [
      "CONNECT leads nowhere",
      `CONNECT x:443 HTTP/1.1\r\nHost: x\r\n${rest}`,
      "HTTP/1.1 404 Not Found\r\n",
      "404 page not found\n",
    ],
    [
      "of a URI without a host the path counts",
      `GET a:/healthz HTTP/1.1\r\nHost: y\r\n${rest}`,
      "HTTP/1.1 200 OK\r\n",
      "\r\nok",
    ],
    ...["http://x", "http://x?/healthz", "a:healthz", "x:443"].map(
      (target) =>
        [
          `${target} has no path`,
          `GET ${target} HTTP/1.1\r\nHost: y\r\n${rest}`,
          "HTTP/1.1 404 Not Found\r\n",
          "404 page not found\n",
        ] as const,
    ),
    [
      "another expectation than 100-continue is not met",
      "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n",
      "HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\nDate: ",
      "\r\nContent-Length: 0\r\n\r\n",
    ],
    [
      "a word of Connection counts between blanks, too",
      "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n x\r\n\r\n",
      "HTTP/1.1 200 OK\r\n",
      "\r\nok",
    ],
    [
      "an unknown version is refused",
      "GET /healthz HTTP/3.0\r\nHost: x\r\n\r\n",
      "HTTP/1.1 505 HTTP Version Not Supported\r\n",
      "505 HTTP Version Not Supported: unsupported protocol version",
    ],
  ];
  for (const [title, text, start, end] of rows) {
    it(title, async () => {
      const received = await exchange(text);
      assert.ok(received.startsWith(start), received);
      assert.ok(received.endsWith(end), received);
    });
  }

  it("closes the connection behind its answer when 256 KiB of a body that it does not read are to come", async () => {
    const put = (length: number): string => `PUT /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
    const refused = await exchange(put(256 * 1024));
    assert.match(refused, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(refused, /\r\nConnection: close\r\n/);
    const less = 256 * 1024 - 1;
    const read = await exchange(`${put(less)}${"x".repeat(less)}GET /livez HTTP/1.1\r\nHost: a\r\n${rest}`);
    assert.equal(read.split("HTTP/1.1 200 OK").length - 1, 2);
  });

  it("answers as many pipelined requests as come, of more than one read too", async () => {
    const count = 2000;
    const received = await exchange(
      `${"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count)}GET /livez HTTP/1.1\r\nHost: a\r\n${rest}`,
    );
    assert.equal(received.split("HTTP/1.1 200 OK").length - 1, count + 1);
  });
});

describe("Headers of requests", { concurrency: 8 }, () => {
  it("a name that cannot be one segment of a path is refused", async () => {
    const { client } = await specServerWith();
    for (const [segment, message] of [
      ["%2e%2e", `Name parameter invalid: "..": may not be '..'`],
      ["%2e", `Name parameter invalid: ".": may not be '.'`],
      ["a%25b", `Name parameter invalid: "a%b": may not contain '%'`],
    ] as const) {
      const { status, document } = await client.get(`/api/v1/namespaces/${segment}`);
      assert.equal(status, 400);
      assert.equal(document.reason, "BadRequest");
      assert.equal(document.message, message);
    }
  });
});
