import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { describe, test } from "node:test";
import { HttpClientError } from "../errors.js";
import type { ClientConfig } from "../kubeconfig/client-config.js";
import { type CertificateAndKey, issueCertificate } from "../pki/issue-certificate.js";
import { goCallError } from "./go-error-text.js";
import { createHttpClient, type HttpClientOptions } from "./http-client.js";

const dayMs = 86_400_000;
const now = Date.now();
const validity = { notBefore: new Date(now - dayMs), notAfter: new Date(now + dayMs) };
const authority = () => issueCertificate({ subject: { kind: "authority", commonName: "hooks-ca" }, ...validity });
const ca = await authority();
const server = (dnsNames: readonly string[], ipAddresses: readonly string[], times = validity) =>
  issueCertificate({ subject: { kind: "server", commonName: "hook", dnsNames, ipAddresses }, issuer: ca, ...times });
const good = await server(["hook.svc"], ["127.0.0.1"]);

const pem = ({ certificatePem, keyPem }: CertificateAndKey) => ({ cert: certificatePem, key: keyPem });
const https = (certificate: CertificateAndKey, options: ServerOptions = {}) =>
  createHttpsServer({ ...pem(certificate), ...options }, (_, response) => response.end("{}"));

/** Returns Go's error text for a POST to `listener`, without its address, which differs from run to run. */
async function told(listener: Server, options: Partial<ClientConfig> = {}): Promise<string | undefined> {
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  try {
    return (await toldOf(`https://127.0.0.1:${port}`, options)).replaceAll(`:${port}`, ":PORT");
  } finally {
    listener.close();
    if ("closeAllConnections" in listener) {
      (listener as ReturnType<typeof createHttpServer>).closeAllConnections();
    }
  }
}

async function toldOf(
  address: string,
  config: Partial<ClientConfig> = {},
  rest: Omit<Partial<HttpClientOptions>, "config"> = {},
): Promise<string> {
  const url = new URL("/validate", address);
  const known: ClientConfig = { server: url, certificateAuthorityPem: ca.certificatePem, insecureSkipTlsVerify: false };
  using client = createHttpClient({ ...rest, config: { ...known, ...config } });
  const error: unknown = await client
    .request({ method: "POST", body: "{}", signal: new AbortController().signal, timeoutMs: 2000 })
    .then(
      (response) => response,
      (thrown: unknown) => thrown,
    );
  return error instanceof HttpClientError ? goCallError("POST", `${url.href}?timeout=2s`, error) : "answered";
}

const post = 'Post "https://127.0.0.1:PORT/validate?timeout=2s": ';
const x509 = `${post}tls: failed to verify certificate: x509: `;

describe("A failed call is told in Go's words:", () => {
  test("nobody listens", async () => {
    assert.equal(
      await toldOf("https://127.0.0.1:1"),
      'Post "https://127.0.0.1:1/validate?timeout=2s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
    assert.equal(
      await toldOf("https://hook.svc", {}, { dialAddresses: async () => [{ host: "::1", port: 1 }] }),
      'Post "https://hook.svc/validate?timeout=2s": dial tcp [::1]:1: connect: connection refused',
    );
    assert.equal(
      await toldOf("https://hook.invalid"),
      'Post "https://hook.invalid/validate?timeout=2s": dial tcp: lookup hook.invalid: no such host',
    );
  });

  test("whoever finds the address has found none", async () => {
    const dialAddresses = () => Promise.reject(new Error('service "hook" not found'));
    assert.equal(
      await toldOf("https://hook.svc", {}, { dialAddresses }),
      'Post "https://hook.svc/validate?timeout=2s": service "hook" not found',
    );
  });

  test("the server closes the connection", async () => {
    const closing = () => createTcpServer((socket) => socket.once("data", () => socket.end()));
    assert.equal(await told(closing()), `${post}EOF`);
    const afterwards = createHttpsServer(pem(good), (request) => request.socket.end());
    assert.equal(await told(afterwards), `${post}EOF`);
    const midway = createHttpsServer(pem(good), (request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("{", () => request.socket.end());
    });
    const reading = "unexpected error when reading response body. Please retry. Original error: unexpected EOF";
    assert.equal(await told(midway), reading);
    const packed = (body: string) =>
      createHttpsServer(pem(good), (_, response) => {
        response.writeHead(200, { "content-encoding": "gzip" }).end(body);
      });
    assert.equal(await told(packed("too short")), reading);
    assert.equal(
      await told(packed("this is not compressed")),
      reading.replace("unexpected EOF", "gzip: invalid header"),
    );
  });

  test("the server does not speak TLS, or not HTTP", async () => {
    const plain = createHttpServer((_, response) => response.end("{}"));
    assert.equal(await told(plain), `${post}http: server gave HTTP response to HTTPS client`);
    const saying = (text: string) => {
      const odd = createHttpsServer(pem(good));
      odd.on("secureConnection", (socket) => {
        socket.on("error", () => {});
        socket.end(text);
      });
      return odd;
    };
    const broken = `${post}net/http: HTTP/1.x transport connection broken: `;
    for (const [said, problem] of [
      ["220-mail.example\r\n", 'malformed HTTP response "220-mail.example"'],
      ["220 mail.example ESMTP\r\n", 'malformed HTTP status code "mail.example"'],
      ["ICY 200 OK\r\n\r\n", 'malformed HTTP version "ICY"'],
      ["HTTP/1.1 ok\r\n\r\n", 'malformed HTTP status code "ok"'],
      ["HTTP/1.1 099 Odd\r\n\r\n", "malformed HTTP response"],
      ["HTTP/1.1 200 OK\r\nA\r\n\r\n", 'malformed MIME header: missing colon: "A"'],
      ["HTTP/1.1 200 OK\r\n: a\r\n\r\n", 'malformed MIME header line: ": a"'],
      ["HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n", 'bad Content-Length "five"'],
      ["HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", 'invalid empty Content-Length ""'],
      [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 6\r\n\r\n",
        'http: message cannot contain multiple Content-Length headers; got ["5" "6"]',
      ],
    ]) {
      assert.equal(await told(saying(said ?? "")), `${broken}${problem}`);
    }
    const upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n";
    assert.equal(await told(saying(upgrade)), `${post}EOF`);
  });

  test("its certificate has another name", async () => {
    assert.equal(await told(https(good), { tlsServerName: "hook.svc" }), "answered");
    assert.equal(
      await told(https(await server(["a.svc", "*.b.svc"], [])), { tlsServerName: "c.svc" }),
      `${x509}certificate is valid for a.svc, *.b.svc, not c.svc`,
    );
    assert.equal(await told(https(await server(["*.b.svc"], [])), { tlsServerName: "x.b.svc" }), "answered");
    assert.equal(
      await told(https(await server(["a.svc"], []))),
      `${x509}cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`,
    );
    assert.equal(
      await told(https(await server([], ["10.0.0.1"]))),
      `${x509}certificate is valid for 10.0.0.1, not 127.0.0.1`,
    );
    assert.equal(
      await told(https(await server([], ["10.0.0.1"])), { tlsServerName: "c.svc" }),
      `${x509}certificate is not valid for any names, but wanted to match c.svc`,
    );
  });

  test("its certificate is out of its time, which counts before its name", async () => {
    const times = { notBefore: new Date(now - 2 * dayMs), notAfter: new Date(now - dayMs) };
    const second = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;
    const expired = await told(https(await server(["a"], [], times)));
    assert.match(
      expired ?? "",
      new RegExp(
        `: x509: certificate has expired or is not yet valid: current time [\\dTZ:-]{20} is after ${second(times.notAfter)}$`,
      ),
    );
    const later = { notBefore: new Date(now + dayMs), notAfter: new Date(now + 2 * dayMs) };
    const early = await told(https(await server(["a"], [], later)));
    assert.match(early ?? "", new RegExp(`current time [\\dTZ:-]{20} is before ${second(later.notBefore)}$`));
  });

  test("its certificate comes of another authority, or of one that was made anew", async () => {
    const another = await issueCertificate({ subject: { kind: "authority", commonName: "other" }, ...validity });
    const unknown = `${x509}certificate signed by unknown authority`;
    assert.equal(await told(https(good), { certificateAuthorityPem: another.certificatePem }), unknown);
    assert.equal(
      await told(https(good), { certificateAuthorityPem: (await authority()).certificatePem }),
      `${unknown} (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "hooks-ca")`,
    );
    assert.equal(await told(https(good), { certificateAuthorityPem: good.certificatePem }), "answered");
    assert.equal(
      await told(https(good), { certificateAuthorityPem: another.certificatePem, insecureSkipTlsVerify: true }),
      "answered",
    );
  });

  test("it asks for a certificate that is not there", async () => {
    assert.equal(
      await told(https(good, { requestCert: true, ca: ca.certificatePem })),
      `${post}remote error: tls: certificate required`,
    );
  });

  test("time is over", async () => {
    const silent = createHttpsServer(pem(good), () => {});
    assert.equal(await told(silent), `${post}context deadline exceeded`);
  });
});
