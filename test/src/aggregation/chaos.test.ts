import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { connect } from "node:http2";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { until } from "../support/until.js";
import { namespace, registerGroup, startAggregatingServer, untilAvailable } from "./aggregated-server.js";
import { type Got, oddAnswers } from "./odd-answers.js";
import { type Answer, type StandIn, sendJson, startStandIn } from "./stand-in.js";

const good = "/apis/good.example.com/v1";
const bad = "/apis/bad.example.com/v1";
const aggregatedDiscoveryType = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
let server: ControlPlane;
let steady: StandIn;
let unsteady: StandIn;

before(async () => {
  const serviceNames = (group: string): readonly string[] => [`${group}-example-com.${namespace}.svc`];
  [server, steady, unsteady] = await Promise.all([
    startAggregatingServer(),
    startStandIn({ dnsNames: serviceNames("good") }),
    // HTTP/1.1, since answers can lie more freely there.
    startStandIn({ dnsNames: serviceNames("bad"), http1: true }),
  ]);
  steady.answer = (_request, response) => sendJson(response, { fine: true });
  await Promise.all([
    registerGroup(server, steady, { group: "good.example.com" }),
    answering(() => registerGroup(server, unsteady, { group: "bad.example.com" })),
  ]);
  await untilAvailable(server, "v1.good.example.com");
});

after(async () => {
  await Promise.all([server?.stop(), steady?.[Symbol.asyncDispose](), unsteady?.[Symbol.asyncDispose]()]);
});

/** Runs `prepare` while the unsteady server answers everything, and waits until it is available. */
async function answering(prepare: () => Promise<void>): Promise<void> {
  unsteady.answer = (_request, response) => sendJson(response, {});
  await prepare();
  await untilAvailable(server, "v1.bad.example.com");
}

/** Answers requests for things from here on; looks at the server go on to succeed. */
function misbehave(answer: Answer): void {
  unsteady.answer = (request, response, received) => {
    if (received.url === `${bad}/things`) {
      answer(request, response, received);
    } else {
      sendJson(response, {});
    }
  };
}

/** Sends a request over a connection of HTTP/2 of its own. */
async function get(path: string, signal?: AbortSignal): Promise<Got> {
  const session = connect(server.url, { ...server.tls });
  session.on("error", () => {});
  try {
    const stream = session.request({ ":path": path }, signal === undefined ? {} : { signal });
    let status = 0;
    let text = "";
    let isWhole = false;
    stream.on("error", () => {});
    stream.on("response", (headers) => {
      status = Number(headers[":status"]);
    });
    stream.on("data", (piece: Buffer) => {
      text += piece.toString();
    });
    stream.on("end", () => {
      isWhole = true;
    });
    // An error comes before it; `once` of node:events would reject with that.
    await new Promise((resolve) => stream.once("close", resolve));
    return { status, text, isWhole: isWhole && stream.rstCode === 0 };
  } finally {
    session.destroy();
  }
}

/** Checks that requests of others are answered. */
async function assertOthersUnmoved(): Promise<void> {
  const [other, own] = await Promise.all([get(`${good}/things`), get("/api/v1/namespaces/default")]);
  assert.deepEqual(JSON.parse(other.text), { fine: true });
  assert.equal(own.status, 200);
}

for (const [what, answer, check] of oddAnswers) {
  test(`a server behind that ${what} makes a clear failure, and others are unmoved`, async () => {
    misbehave((request) => {
      request.socket.end(answer);
    });
    const got = await get(`${bad}/things`);
    check(got);
    if (got.status === 503) {
      assert.match(got.text, /^error trying to reach service: .+\n$/);
    }
    await assertOthersUnmoved();
  });
}

test("a server behind that never answers holds up nobody, and learns when the client has gone", async () => {
  let waiting = 0;
  misbehave((request) => {
    waiting++;
    request.socket.once("close", () => waiting--);
  });
  const gone = new AbortController();
  setMaxListeners(50, gone.signal);
  const answers = Array.from({ length: 50 }, () => get(`${bad}/things`, gone.signal));
  await until("all requests have arrived", () => waiting === 50);
  await assertOthersUnmoved();
  gone.abort();
  assert.deepEqual(new Set((await Promise.all(answers)).map(({ status }) => status)), new Set([0]));
  await until("all requests have ended", () => waiting === 0);
});

test("a server behind that goes away and comes back again and again gets a clear answer each time, and others are unmoved", async () => {
  const proper = (_request: unknown, response: Parameters<Answer>[1]): void => sendJson(response, { fine: true });
  for (let flap = 0; flap < 20; flap++) {
    misbehave(proper);
    await until("requests are answered", async () => {
      const { status, text } = await get(`${bad}/things`);
      assert.ok(status === 503 || text === '{"fine":true}', text);
      return status === 200;
    });
    await unsteady.stop();
    const { status, text } = await get(`${bad}/things`);
    assert.equal(status, 503);
    // The look at the server behind, every now and then, may have found it away, or the request did.
    assert.match(text, /^(service unavailable|error trying to reach service: .*connect: connection refused)\n$/);
    await assertOthersUnmoved();
    await unsteady.start();
  }
  misbehave(proper);
  await untilAvailable(server, "v1.bad.example.com");
  assert.deepEqual(await get(`${bad}/things`), { status: 200, text: '{"fine":true}', isWhole: true });
});

test("an answer after the client has gone is dropped", async () => {
  const gone = new AbortController();
  const arrived = new Promise<() => void>((resolve) => {
    misbehave((_request, response) => resolve(() => sendJson(response, { late: true })));
  });
  const got = get(`${bad}/things`, gone.signal);
  const answer = await arrived;
  gone.abort();
  assert.equal((await got).status, 0);
  answer();
  await assertOthersUnmoved();
});

/** Registrations whose server cannot be trusted, and v1.29's reason. */
const distrusted: readonly (readonly [group: string, reason: RegExp, makes: () => Promise<StandIn>])[] = [
  [
    "expired.example.com",
    /^error trying to reach service: tls: failed to verify certificate: x509: certificate has expired or is not yet valid/,
    () =>
      startStandIn({
        dnsNames: [`expired-example-com.${namespace}.svc`],
        notAfter: new Date(Date.now() - 60 * 60 * 1000),
      }),
  ],
  [
    "elsewhere.example.com",
    /^error trying to reach service: tls: failed to verify certificate: x509: certificate is valid for other\.svc, not elsewhere-example-com\.servers\.svc/,
    () => startStandIn({ dnsNames: ["other.svc"] }),
  ],
  [
    "nameless.example.com",
    /^error trying to reach service: tls: failed to verify certificate: x509: certificate relies on legacy Common Name field, use SANs instead/,
    () => startStandIn({ dnsNames: [], commonName: `nameless-example-com.${namespace}.svc` }),
  ],
];

for (const [group, reason, make] of distrusted) {
  test(`requests for ${group}, whose server cannot be trusted, are answered with the reason`, async () => {
    await using standIn = await make();
    standIn.answer = (_request, response) => sendJson(response, {});
    await registerGroup(server, standIn, { group });
    await untilAvailable(server, `v1.${group}`);
    const got = await get(`/apis/${group}/v1/things`);
    assert.equal(got.status, 503);
    assert.match(got.text, reason);
    assert.equal(
      standIn.received.some(({ url }) => url.endsWith("/things")),
      false,
    );
  });
}

test("metrics count servers with an unusable certificate and documents of discovery, with v1.29's names", async () => {
  const limits = { signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 };
  await server.client.request({ path: "/apis", headers: { accept: aggregatedDiscoveryType }, ...limits });
  const { body } = await server.client.request({ path: "/metrics", ...limits });
  const text = body.toString();
  assert.match(text, /^apiserver_kube_aggregator_x509_missing_san_total 1$/m);
  assert.match(text, /^apiserver_kube_aggregator_x509_insecure_sha1_total 0$/m);
  assert.match(text, /^aggregator_discovery_aggregation_count_total [1-9]/m);
});

test("a redirect of the server behind does not reach the client", async () => {
  misbehave((_request, response) => {
    response.writeHead(302, { location: "https://elsewhere.example.com/" }).end();
  });
  const got = await get(`${bad}/things`);
  assert.equal(got.status, 502);
  assert.equal(got.text, "the backend attempted to redirect this request, which is not permitted");
});

test("a redirect of the server behind reaches the client where it is not rejected", async () => {
  await using lenient = await startAggregatingServer(["--aggregator-reject-forwarding-redirect=false"]);
  unsteady.answer = (_request, response) => sendJson(response, {});
  await registerGroup(lenient, unsteady, { group: "bad.example.com" });
  await untilAvailable(lenient, "v1.bad.example.com");
  misbehave((_request, response) => {
    response.writeHead(302, { location: "https://elsewhere.example.com/" }).end();
  });
  const limits = { signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 };
  const { status, headers } = await lenient.client.request({ path: `${bad}/things`, ...limits });
  assert.deepEqual([status, headers["location"]], [302, "https://elsewhere.example.com/"]);
});
