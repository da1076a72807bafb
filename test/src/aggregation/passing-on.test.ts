import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";
import { request as request1 } from "node:https";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { until } from "../support/until.js";
import {
  getJson,
  registerGroup,
  startAggregatingServer,
  untilAvailable,
  writeProxyCertificate,
} from "./aggregated-server.js";
import { type ReceivedRequest, type StandIn, sendJson, startStandIn } from "./stand-in.js";

const root = "/apis/seen.example.com/v1";
let server: ControlPlane;
let standIn: StandIn;
let session: ClientHttp2Session;

before(async () => {
  [server, standIn] = await Promise.all([
    startAggregatingServer(),
    startStandIn({ dnsNames: ["seen-example-com.servers.svc"] }),
  ]);
  standIn.answer = (_request, response, received) => sendJson(response, received);
  await registerGroup(server, standIn, { group: "seen.example.com" });
  await untilAvailable(server, "v1.seen.example.com");
  session = connect(server.url, { ...server.tls });
});

after(async () => {
  session?.destroy();
  await Promise.all([server?.stop(), standIn?.[Symbol.asyncDispose]()]);
});

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Sends a request over HTTP/2 and resolves to what the server behind has got of it. */
async function overHttp2(path: string, headers: Headers = {}): Promise<ReceivedRequest> {
  const stream = session.request({ ":path": path, ...(headers as Record<string, string | string[]>) });
  return JSON.parse(await textOf(stream)) as ReceivedRequest;
}

/** Sends a request over HTTP/1.1 and resolves to what the server behind has got of it. */
async function overHttp1(path: string, headers: readonly string[] = []): Promise<ReceivedRequest> {
  const { port, tls } = server;
  const all = ["Host", "localhost", ...headers];
  const text = await new Promise<string>((resolve, reject) => {
    request1({ host: "127.0.0.1", port, path, headers: all, ...tls }, (response) => {
      textOf(response).then(resolve, reject);
    })
      .on("error", reject)
      .end();
  });
  return JSON.parse(text) as ReceivedRequest;
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const piece of stream) {
    text += String(piece);
  }
  return text;
}

/** Returns a text as the bytes of its UTF-8 form, each a character: the form in which Node takes headers. */
function utf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Returns the values of all headers whose name looks like that of a claim, however it is spelt. */
function claims({ rawHeaders }: ReceivedRequest): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = String(rawHeaders[at]).toLowerCase();
    if (/^x[^a-z]remote|^impersonate|authorization|^x-forwarded-person/.test(name)) {
      found.push(`${name}: ${rawHeaders[at + 1]}`);
    }
  }
  return found;
}

const own = [
  "x-remote-user: kubernetes-admin",
  "x-remote-group: system:masters",
  "x-remote-group: system:authenticated",
];

test("the server behind learns who asks from the front proxy's headers and certificate", async () => {
  const received = await overHttp2(`${root}/things`);
  assert.deepEqual(claims(received), own);
  assert.equal(received.certificate, "front-proxy-client");
  assert.equal(received.httpVersion, "2.0");
  assert.equal(received.url, `${root}/things`);
});

test("an impersonated user is the user that the server behind learns of, with extras escaped as v1.29 does", async () => {
  const received = await overHttp2(`${root}/things`, {
    "impersonate-user": utf8("jürgen"),
    "impersonate-group": ["one", "two"],
    "impersonate-extra-example.com%2fteams": ["a", "b"],
  });
  assert.deepEqual(claims(received), [
    `x-remote-user: ${utf8("jürgen")}`,
    "x-remote-group: one",
    "x-remote-group: two",
    "x-remote-group: system:authenticated",
    "x-remote-extra-example.com%2fteams: a",
    "x-remote-extra-example.com%2fteams: b",
  ]);
});

/** Spellings of headers that a server behind may take for a claim of identity. */
const spellings = [
  "X-Remote-User",
  "x-remote-user",
  "X-REMOTE-USER",
  "X_Remote_User",
  "x_remote-user",
  "X.Remote.User",
  "X-Remote_Group",
  "X-Remote-Group",
  "X-Remote-Uid",
  "X-Remote-Extra-Scopes",
  "x_remote_extra_scopes",
  "X-Remote-Extra-%53copes",
  "X-Remote-Anything",
  "X-Forwarded-Person",
  "x_forwarded_person",
  "Proxy-Authorization",
  "Proxy_Authorization",
  "Impersonate_User",
];

for (const name of spellings) {
  test(`a client's header ${name} does not reach the server behind, over HTTP/1.1 and HTTP/2`, async () => {
    const [first, second] = await Promise.all([
      overHttp1(`${root}/things`, [name, "evil", name.toUpperCase(), "evil"]),
      overHttp2(`${root}/things`, { [name.toLowerCase()]: name === "Proxy-Authorization" ? "evil" : ["evil", "too"] }),
    ]);
    assert.deepEqual(claims(first), own);
    assert.deepEqual(claims(second), own);
  });
}

test("a header that Connection names is dropped without the front proxy's own header of that name", async () => {
  const received = await overHttp1(`${root}/things`, [
    "Connection",
    "x-remote-user, x-remote-group, x-hop",
    "X-Hop",
    "1",
  ]);
  assert.deepEqual(claims(received), own);
  assert.equal(received.rawHeaders.includes("x-hop"), false);
});

test("the server behind is asked for the path that was authorized, whatever its spelling was", async () => {
  const paths: readonly (readonly [asked: string, passedOn: string])[] = [
    [`${root}/namespaces/a%2Fb/things`, `${root}/namespaces/a/b/things`],
    [`${root}/things/%41%3f?limit=5&x=a%20b`, `${root}/things/A%3F?limit=5&x=a+b`],
    ["/apis/seen%2Eexample.com/v1/things/x", `${root}/things/x`],
    [`${root}/watch/things`, `${root}/watch/things`],
    [`${root}/`, `${root}/`],
  ];
  for (const [asked, passedOn] of paths) {
    assert.equal((await overHttp2(asked)).url, passedOn);
  }
});

test("claims of identity behind a body do not reach the server behind, and other trailers do", async () => {
  standIn.answer = (request, response) => {
    request.resume();
    request.on("end", () => sendJson(response, request.rawTrailers));
  };
  try {
    const stream = session.request(
      { ":path": `${root}/things`, ":method": "POST", trailer: "x-remote-user, x-sum" },
      { endStream: false, waitForTrailers: true },
    );
    const text = textOf(stream);
    const sent = stream as typeof stream & { sendTrailers(headers: object): void };
    stream.on("wantTrailers", () =>
      sent.sendTrailers({ "x-remote-user": "evil", x_remote_group: "evil", "x-sum": "7" }),
    );
    stream.end("a body");
    assert.deepEqual(JSON.parse(await text), ["x-sum", "7"]);
  } finally {
    standIn.answer = (_request, response, received) => sendJson(response, received);
  }
});

test("a method that this server does not know, and a body, reach the server behind as they are", async () => {
  standIn.answer = (request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => sendJson(response, { method: request.method, body: Buffer.concat(pieces).toString() }));
  };
  try {
    const stream = session.request({ ":path": `${root}/things`, ":method": "REPORT" });
    stream.end("a body");
    assert.deepEqual(JSON.parse(await textOf(stream)), { method: "REPORT", body: "a body" });
  } finally {
    standIn.answer = (_request, response, received) => sendJson(response, received);
  }
});

test("a renewed certificate of the front proxy is used without a restart, also where a connection is kept open, and its authority is published", async () => {
  const folder = dirname(server.certificates.caFile);
  await overHttp2(`${root}/things`);
  await writeProxyCertificate(folder, "renewed-front-proxy-client");
  const received = await until("the renewed certificate is shown", async () => {
    const each = await overHttp2(`${root}/things`);
    return each.certificate === "renewed-front-proxy-client" && each;
  });
  assert.deepEqual(claims(received), own);
  await until("the servers behind can learn of its authority", async () => {
    const path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
    const { data } = (await getJson(server, path)) as { readonly data: Readonly<Record<string, string>> };
    return data["requestheader-client-ca-file"]?.includes(readFileSync(join(folder, "proxy-ca.crt"), "utf8").trim());
  });
});
