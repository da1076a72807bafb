import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { type ClientHttp2Session, connect } from "node:http2";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { until } from "../support/until.js";
import { namespace, registerGroup, startAggregatingServer, untilAvailable } from "./aggregated-server.js";
import { oddAnswers } from "./odd-answers.js";
import { type Answer, type StandIn, sendJson, startStandIn } from "./stand-in.js";

// `npm run soak -- --aggregated-requests=10000` makes it more.
const count = Number(process.env["AGGREGATED_REQUESTS"] ?? 200);
const clients = 8;
/** Requests after each of which the unsteady servers cut all their connections. */
const cutEvery = 90;
/** Requests for each one that is answered with 100,000 headers: a megabyte takes its time. */
const largeEvery = 50;

let server: ControlPlane;
let steady: StandIn;
let http1: StandIn;
let http2: StandIn;
let expired: StandIn;

/** Misbehavior that `oddAnswers` does not have: the request is not answered, or not to its end, or too late. */
const unsteadily: Readonly<Record<string, Answer>> = {
  silent: () => {},
  late: (request, response) => {
    request.once("close", () => setImmediate(() => sendJson(response, { late: true })));
  },
  half: (_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.destroy());
  },
  reset: (_request, response) => {
    response.destroy();
  },
  refused: (_request, response) => {
    response.writeHead(413, { "content-length": "0" }).end();
  },
  fine: (_request, response) => sendJson(response, { fine: true }),
};

/** Answers as the last part of the path says: the number of an odd answer, or one of `unsteadily`. */
const answerByPath: Answer = (request, response, received) => {
  const way = received.url.slice(received.url.lastIndexOf("/") + 1);
  const odd = /^\d+$/.test(way) ? oddAnswers[Number(way)] : undefined;
  if (odd !== undefined) {
    request.socket.end(odd[1]);
  } else {
    (unsteadily[way] ?? ((_request, done) => sendJson(done, {})))(request, response, received);
  }
};

before(async () => {
  const names = (group: string): readonly string[] => [`${group}-example-com.${namespace}.svc`];
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
  [server, steady, http1, http2, expired] = await Promise.all([
    startAggregatingServer(),
    startStandIn({ dnsNames: names("good") }),
    startStandIn({ dnsNames: names("http1"), http1: true }),
    startStandIn({ dnsNames: names("http2") }),
    startStandIn({ dnsNames: names("expired"), notAfter: yesterday }),
  ]);
  for (const standIn of [http1, http2, expired]) {
    standIn.answer = answerByPath;
  }
  steady.answer = (_request, response) => sendJson(response, { fine: true });
  await Promise.all(
    Object.entries({ good: steady, http1, http2, expired }).map(async ([name, standIn]) => {
      await registerGroup(server, standIn, { group: `${name}.example.com` });
      await untilAvailable(server, `v1.${name}.example.com`);
    }),
  );
});

after(async () => {
  await server?.stop();
  await Promise.all([steady, http1, http2, expired].map((standIn) => standIn?.[Symbol.asyncDispose]()));
});

/** Opens the connection of one client. */
function open(): ClientHttp2Session {
  const session = connect(server.url, { ...server.tls });
  session.on("error", () => {});
  return session;
}

/**
 * Sends a request, and resolves to code and text when its answer has ended or its stream is closed: of an answer before
 * node's client has sent the body, it does not always tell the close. `leavesEarly`: the client leaves when the request has
 * reached the server.
 */
function send(
  session: ClientHttp2Session,
  path: string,
  { method = "GET", leavesEarly = false }: { readonly method?: string; readonly leavesEarly?: boolean } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve) => {
    const stream = session.request({ ":method": method, ":path": path }, { endStream: method === "GET" });
    let status = 0;
    let text = "";
    stream.on("error", () => {});
    stream.on("response", (headers) => {
      status = Number(headers[":status"]);
    });
    stream.on("data", (piece: Buffer) => {
      text += piece.toString();
    });
    const settle = (): void => resolve({ status, text });
    stream.on("end", settle);
    stream.on("close", settle);
    if (method !== "GET") {
      stream.end(Buffer.alloc(20_000, "x"));
    }
    if (leavesEarly) {
      // The next request of the same connection tells that this one has reached the server.
      void send(session, "/healthz").then(() => stream.close(8));
    }
  });
}

/** Returns the number of open files and connections of the server; undefined where the system does not tell. */
async function openFiles(): Promise<number | undefined> {
  return (await readdir(`/proc/${server.pid}/fd`).catch(() => undefined))?.length;
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

/** Sends the request of a number: each number misbehaves in its own way, over HTTP/1.1 and HTTP/2 in turns. */
async function sendOdd(session: ClientHttp2Session, number: number): Promise<void> {
  const own = Object.keys(unsteadily);
  const ways = [...oddAnswers.keys(), ...own, ...own, "expired"];
  const way = String(ways[number % ways.length]);
  const isLarge = (oddAnswers[Number(way)]?.[1].length ?? 0) > 100_000;
  if (isLarge && Math.floor(number / ways.length) % largeEvery !== 0) {
    return;
  }
  const group = way === "expired" ? "expired" : /^\d+$/.test(way) || number % 2 === 0 ? "http1" : "http2";
  const leavesEarly = way === "silent" || way === "late";
  const method = way === "refused" || (way === "reset" && number % 3 === 0) ? "POST" : "GET";
  const { status, text } = await send(session, `/apis/${group}.example.com/v1/things/${way}`, { method, leavesEarly });
  // All connections may be cut meanwhile: 503 is right for all then.
  assert.ok(leavesEarly || [0, 200, 413, 503].includes(status), `${way}: ${status} ${text}`);
  if (way === "expired") {
    assert.equal(status, 503);
  }
}

test(`nothing is left of ${count} requests to servers behind that misbehave, and others are unmoved`, async () => {
  let next = 0;
  let others = 0;
  let isOver = false;
  const run = async (last: number): Promise<void> => {
    const oddClient = async (): Promise<void> => {
      const session = open();
      while (next < last) {
        const number = next++;
        await sendOdd(session, number);
        if (number % cutEvery === cutEvery - 1) {
          http1.cut();
          http2.cut();
        }
      }
      session.destroy();
    };
    await Promise.all(Array.from({ length: clients }, oddClient));
  };
  const other = async (): Promise<void> => {
    const session = open();
    while (!isOver) {
      const got = await send(session, "/apis/good.example.com/v1/things");
      assert.deepEqual([got.status, got.text], [200, '{"fine":true}']);
      assert.equal((await send(session, "/api/v1/namespaces/default")).status, 200);
      others++;
    }
    session.destroy();
  };
  // Some requests first: what is made once is no leak.
  await run(count / 4);
  const filesBefore = await openFiles();
  const bytesBefore = await residentBytes();
  const unmoved = other();
  await run(count);
  isOver = true;
  await unmoved;
  assert.ok(others > 0);

  await until("requests that nobody waits for have ended", async () => {
    const session = open();
    const { text } = await send(session, "/metrics");
    session.destroy();
    // The one that asks is among the reads.
    return /^apiserver_current_inflight_requests\{request_kind="mutating"\} 0$/m.test(text);
  });
  await until(
    "no more connections are open than requests were sent at a time",
    () => http1.connections + http2.connections <= 4 * clients,
  );
  await until("no more files are open than before", async () => {
    const files = await openFiles();
    return files === undefined || files <= (filesBefore ?? 0) + 4 * clients;
  });
  const grown = (await residentBytes()) - bytesBefore;
  assert.ok(grown < 200 * 1024 * 1024, `the server has grown by ${grown} bytes`);
  assert.doesNotMatch(server.logs.text(), /MaxListenersExceededWarning|[Uu]nhandled/);

  await untilAvailable(server, "v1.http1.example.com");
  await untilAvailable(server, "v1.http2.example.com");
  const session = open();
  for (const group of ["http1", "http2"]) {
    const { status, text } = await send(session, `/apis/${group}.example.com/v1/things/fine`);
    assert.deepEqual([status, text], [200, '{"fine":true}']);
  }
  session.destroy();
});
