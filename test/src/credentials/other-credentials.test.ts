import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as connectHttp2 } from "node:http2";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import type { ControlPlane } from "@gatehouse/testing";
import { serviceAccountIssuer } from "@gatehouse/testing/certificates";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { issueWithoutKeyIdentifier } from "../support/issue-without-key-identifier.js";
import { startTestServer } from "../support/start-test-server.js";

const dayMs = 24 * 60 * 60 * 1000;
const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
const whoAmI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

interface Review {
  readonly apiVersion: string;
  readonly spec: { readonly token: string; readonly audiences: readonly string[] };
}

describe("Credentials besides certificates", { concurrency: 8 }, () => {
  let folder: string;
  let server: ControlPlane;
  let admin: ApiClient;
  let proxyCa: CertificateAndKey;
  /** An authority of proxies of which one bears its name. */
  let namesake: CertificateAndKey;
  let webhook: Server;
  const asked: Review[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-credentials-"));
    proxyCa = await issueCertificate({ subject: { kind: "authority", commonName: "proxy-ca" }, ...validity });
    const serving = await issueCertificate({
      subject: { kind: "server", commonName: "tokens", dnsNames: [], ipAddresses: ["127.0.0.1"] },
      issuer: proxyCa,
      ...validity,
    });
    webhook = createServer({ cert: serving.certificatePem, key: serving.keyPem }, async (request, response) => {
      const review = (await json(request)) as Review;
      asked.push(review);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ apiVersion: review.apiVersion, kind: "TokenReview", status: statusOf(review) }));
    });
    webhook.listen(0, "127.0.0.1");
    await once(webhook, "listening");
    const { port } = webhook.address() as AddressInfo;
    namesake = await issueCertificate({ subject: { kind: "authority", commonName: "front-proxy" }, ...validity });
    await writeFile(join(folder, "proxy-ca.crt"), proxyCa.certificatePem + namesake.certificatePem);
    await writeFile(
      join(folder, "tokens.kubeconfig"),
      `clusters: [{name: c, cluster: {server: "https://127.0.0.1:${port}/tokens", certificate-authority: proxy-ca.crt}}]
contexts: [{name: c, context: {cluster: c}}]
current-context: c
`,
    );
    await writeFile(join(folder, "tokens.csv"), "static,jane,jane-uid\n");
    server = await startTestServer({
      flags: [
        `--requestheader-client-ca-file=${join(folder, "proxy-ca.crt")}`,
        "--requestheader-allowed-names=front-proxy",
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        `--authentication-token-webhook-config-file=${join(folder, "tokens.kubeconfig")}`,
        "--authentication-token-webhook-version=v1",
        `--token-auth-file=${join(folder, "tokens.csv")}`,
        "--enable-bootstrap-token-auth",
      ],
    });
    admin = createApiClient(server.clientConfig);
  });
  after(async () => {
    admin[Symbol.dispose]();
    webhook.close();
    webhook.closeAllConnections();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  /** Returns the status of the webhook's review, by the beginning of the token. */
  function statusOf({ spec: { token, audiences } }: Review): object {
    const user = { username: "remote", uid: "7", groups: ["g"], extra: { scopes: ["a", "b"] } };
    if (token.startsWith("good")) {
      return { authenticated: true, user, ...(token === "good-with-audience" ? { audiences } : {}) };
    }
    if (token === "good for others") {
      return { authenticated: true, user, audiences: ["others"] };
    }
    return token === "error" ? { authenticated: false, error: "the user is locked out" } : { authenticated: false };
  }

  /** Returns the user under which the server knows the client; the status code for an unsuccessful answer. */
  async function whoIs(config: Partial<ClientConfig>, headers: Record<string, string | string[]> = {}) {
    using client = createApiClient({ ...server.anonymousConfig, ...config });
    const answer = await client.post(whoAmI, {}, headers);
    return answer.status === 201
      ? (answer.document as unknown as { status: { userInfo: object } }).status.userInfo
      : answer.status;
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const authenticated = "system:authenticated";

  const proxyCertificate = (user: string): Promise<CertificateAndKey> =>
    issueCertificate({ subject: { kind: "client", user, groups: [] }, issuer: proxyCa, ...validity });
  const named = { "x-remote-user": "ann", "x-remote-group": ["a", "b, c"], "x-remote-extra-acme.com%2fp": "x" };

  it("a front proxy says who asks", async () => {
    const clientCertificate = await proxyCertificate("front-proxy");
    const user = { username: "ann", groups: ["a", "b, c", authenticated], extra: { "acme.com/p": ["x"] } };
    assert.deepEqual(await whoIs({ clientCertificate }, named), user);
    assert.deepEqual(await whoIs({ clientCertificate }, { "X-REMOTE-USER": "jürgen" }), {
      username: "jürgen",
      groups: [authenticated],
    });
  });

  it("a front proxy whose subject is that of its authority says who asks, and is no client", async () => {
    const clientCertificate = await issueWithoutKeyIdentifier("front-proxy", namesake, "1.3.6.1.5.5.7.3.2");
    const user = { username: "ann", groups: ["a", "b, c", authenticated], extra: { "acme.com/p": ["x"] } };
    assert.deepEqual(await whoIs({ clientCertificate }, named), user);
    assert.equal(await whoIs({ clientCertificate }), 401);
    const forger = await issueCertificate({ subject: { kind: "authority", commonName: "front-proxy" }, ...validity });
    const forged = await issueWithoutKeyIdentifier("front-proxy", forger, "1.3.6.1.5.5.7.3.2");
    assert.equal(await whoIs({ clientCertificate: forged }, named), 401);
  });

  it("its certificate is no client's, whatever it says", async () => {
    const clientCertificate = await proxyCertificate("front-proxy");
    assert.equal(await whoIs({ clientCertificate }), 401);
    const masters = await issueCertificate({
      subject: { kind: "client", user: "front-proxy", groups: ["system:masters"] },
      issuer: proxyCa,
      ...validity,
    });
    assert.equal(await whoIs({ clientCertificate: masters }), 401);
  });

  it("what a front proxy would say is believed from nobody else", async () => {
    const other = await proxyCertificate("another-proxy");
    assert.equal(await whoIs({ clientCertificate: other }, named), 401);
    assert.equal(await whoIs({}, named), 401);
    const client = await server.certificates.clientCertificate("front-proxy", []);
    assert.deepEqual(await whoIs({ clientCertificate: client }, named), {
      username: "front-proxy",
      groups: [authenticated],
    });
    const own = await issueCertificate({ subject: { kind: "authority", commonName: "proxy-ca" }, ...validity });
    const subject = { kind: "client", user: "front-proxy", groups: [] } as const;
    const forged = await issueCertificate({ subject, issuer: own, ...validity });
    assert.equal(await whoIs({ clientCertificate: forged }, named), 401);
    assert.deepEqual(await whoIs({}, { ...named, ...bearer("static") }), {
      username: "jane",
      uid: "jane-uid",
      groups: [authenticated],
    });
  });

  it("a webhook knows tokens, and its answers are remembered", async () => {
    const user = { username: "remote", uid: "7", groups: ["g", authenticated], extra: { scopes: ["a", "b"] } };
    const count = (token: string) => asked.filter(({ spec }) => spec.token === token).length;
    assert.deepEqual(await whoIs({}, bearer("good")), user);
    assert.deepEqual(await whoIs({}, bearer("good")), user);
    assert.equal(count("good"), 1);
    assert.deepEqual(
      asked.find(({ spec }) => spec.token === "good"),
      {
        kind: "TokenReview",
        apiVersion: "authentication.k8s.io/v1",
        metadata: { creationTimestamp: null },
        spec: { token: "good", audiences: [serviceAccountIssuer] },
        status: { user: {} },
      },
    );
    assert.deepEqual(await whoIs({}, bearer("good-with-audience")), user);
    assert.equal(await whoIs({}, bearer("bad")), 401);
    assert.equal(await whoIs({}, bearer("bad")), 401);
    assert.equal(count("bad"), 1, "that nobody knows it is remembered, too");
    assert.equal(count("static"), 0, "what is known here is asked nowhere else");
  });

  it("a token is what its bytes say in UTF-8, for a request and for a review", async () => {
    const count = (token: string) => asked.filter(({ spec }) => spec.token === token).length;
    const user = { username: "remote", uid: "7", groups: ["g", authenticated], extra: { scopes: ["a", "b"] } };
    assert.deepEqual(await whoIs({}, bearer("good-é")), user);
    const review = await admin.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "good-é" } });
    assert.equal((review.document as unknown as { status: { authenticated?: boolean } }).status.authenticated, true);
    assert.equal(count("good-é"), 1);
  });

  it("what a webhook has against a token is told to who reviews it", async () => {
    const review = async (token: string) => {
      const answer = await admin.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } });
      return (answer.document as unknown as { status: { error?: string } }).status.error;
    };
    assert.equal(await review("error"), "[invalid bearer token, the user is locked out]");
    assert.equal(await review("bad"), "invalid bearer token");
  });

  it("a bootstrap token logs in until it expires, and only for that", async () => {
    const encode = (data: Record<string, string>) =>
      Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]));
    const token = async (id: string, more: Record<string, string>, type = "bootstrap.kubernetes.io/token") => {
      const secret = "0123456789abcdef";
      const data = {
        "token-id": id,
        "token-secret": secret,
        "usage-bootstrap-authentication": "true",
        ...more,
      };
      const object = { metadata: { name: `bootstrap-token-${id}` }, type, data: encode(data) };
      assertCode(await admin.post("/api/v1/namespaces/kube-system/secrets", object), 201);
      return whoIs({}, bearer(`${id}.${secret}`));
    };
    const soon = new Date(Date.now() + dayMs).toISOString();
    const groups = { "auth-extra-groups": "system:bootstrappers:x,system:bootstrappers:b" };
    assert.deepEqual(await token("aaaaaa", { ...groups, expiration: soon }), {
      username: "system:bootstrap:aaaaaa",
      groups: ["system:bootstrappers", "system:bootstrappers:b", "system:bootstrappers:x", authenticated],
    });
    assert.equal(await whoIs({}, bearer("aaaaaa.0123456789abcdeg")), 401);
    assert.equal(await token("bbbbbb", { expiration: new Date(Date.now() - 1000).toISOString() }), 401);
    assert.equal(await token("cccccc", { "usage-bootstrap-authentication": "false" }), 401);
    assert.equal(await token("dddddd", { "auth-extra-groups": "system:masters" }), 401);
    assert.equal(await token("eeeeee", { "token-id": "ffffff" }), 401);
    assert.equal(await token("gggggg", {}, "Opaque"), 401);
    assert.equal(await token("hhhhhh", { expiration: "tomorrow" }), 401);
  });

  it("a token may come as a websocket protocol, beside another one", async () => {
    const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from("static").toString("base64url")}`;
    const upgrade = { connection: "Upgrade", upgrade: "websocket" };
    const ask = async (protocols: string) => {
      using client = createApiClient(server.anonymousConfig);
      return (await client.get("/version", { ...upgrade, "sec-websocket-protocol": protocols })).status;
    };
    assert.equal(await ask(`v4.channel.k8s.io, ${protocol}`), 200);
    assert.equal(await ask(protocol), 401);
    assert.equal(await ask(`v4.channel.k8s.io, ${protocol}, ${protocol}`), 401);
    assert.equal(await ask("v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.%%%"), 401);
    using client = createApiClient(server.anonymousConfig);
    const plain = await client.get("/version", { "sec-websocket-protocol": `v4.channel.k8s.io, ${protocol}` });
    assert.equal(plain.status, 401, "without an upgrade it is no websocket");
  });

  it("a connection over HTTP/2 ends with the refusal of a stranger, and goes on for users", async () => {
    const session = connectHttp2(server.url, { ca: server.certificates.authority.certificatePem });
    const get = async (headers: Record<string, string>) => {
      const stream = session.request({ ":path": "/version", ...headers }).resume();
      const [response] = (await once(stream, "response")) as [{ ":status": number }];
      return response[":status"];
    };
    /** Returns the outcome of one more request of a user: idle connections are closed at some time, too. */
    const afterwards = async (): Promise<string> => {
      try {
        const stream = session.request({ ":path": "/version", ...bearer("static") }).on("error", () => {});
        return await Promise.race([
          once(stream.resume(), "response").then(() => "an answer"),
          once(stream, "close").then(() => "nothing"),
        ]);
      } catch {
        return "nothing";
      }
    };
    assert.equal(await get(bearer("static")), 200);
    assert.equal(await get(bearer("static")), 200);
    const goaway = once(session, "goaway");
    const closed = once(session, "close");
    assert.equal(await get({}), 401);
    assert.equal(await afterwards(), "nothing");
    const [code] = (await goaway) as [number];
    assert.equal(code, 0);
    await closed;
  });
});
