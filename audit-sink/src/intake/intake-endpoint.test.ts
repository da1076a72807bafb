import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import {
  auditEvent,
  eventList,
  type SinkAnswer,
  sinkConfig,
  type TestSink,
  testFolder,
  testSink,
  until,
} from "../sink.test.support.js";

const folder = await testFolder();
const output = join(folder.path, "audit.log");
const config = await sinkConfig(folder, {
  pipelines: [{ name: "file", batching: { maxWait: "10ms" }, output: { file: { path: output } } }],
  intake: { maxBodyBytes: "1Mi", maxEventBytes: "10Ki", maxPendingBytes: "2Mi" },
});
const sink = await testSink(folder, config);
after(() => sink[Symbol.asyncDispose]());

async function lines(): Promise<readonly string[]> {
  const text = await readFile(output, "utf8").catch(() => "");
  return text.split("\n").slice(0, -1);
}

/** Posts and waits for so many new lines in the file. */
async function delivered(body: unknown, expected: number): Promise<{ answer: SinkAnswer; events: unknown[] }> {
  const before = (await lines()).length;
  const answer = await sink.post(body);
  await until(async () => (await lines()).length >= before + expected);
  await new Promise((resolve) => setTimeout(resolve, 30));
  return { answer, events: (await lines()).slice(before).map((line) => JSON.parse(line)) };
}

const success = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 200 };

function failure(code: number, reason: string, message: string, details?: object): object {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    ...(details && { details }),
    code,
  };
}

test("events are acknowledged and go through the log to the output, each as it was sent", async () => {
  const { answer, events } = await delivered(eventList([auditEvent(1), auditEvent(2)]), 2);
  assert.deepEqual([answer.status, JSON.parse(answer.body)], [200, success]);
  const whole = (n: number) => ({ kind: "Event", apiVersion: "audit.k8s.io/v1", ...auditEvent(n) });
  assert.deepEqual(events, [whole(1), whole(2)]);
});

test("a body over several lines is kept on one line for each event", async () => {
  const { events } = await delivered(JSON.stringify(eventList([auditEvent(3)]), null, 2).replaceAll("\n", "\r\n"), 1);
  assert.deepEqual(events, [auditEvent(3)]);
});

test("an empty list is taken", async () => {
  assert.equal((await sink.post(eventList([]))).status, 200);
  assert.equal((await sink.post('{"items":null,"kind":"EventList","apiVersion":"audit.k8s.io/v1"}')).status, 200);
});

test("what was sent before is acknowledged and kept once, also within one list and in another order", async () => {
  const { answer, events } = await delivered(
    eventList([auditEvent(2), auditEvent(10), auditEvent(10), auditEvent(1)]),
    1,
  );
  assert.equal(answer.status, 200);
  assert.deepEqual(
    events.map((event) => (event as { auditID: string }).auditID),
    ["00000000-0000-0000-0000-000000000010"],
  );
});

test("an event that differs in anything but its auditID is another event", async () => {
  const { events } = await delivered(
    eventList([auditEvent(2, { verb: "list" }), auditEvent(2, { stage: "Panic" })]),
    2,
  );
  assert.equal(events.length, 2);
});

test("events that cannot be kept are told of one by one, and the others are kept", async () => {
  const bad = [
    auditEvent(20),
    null,
    auditEvent(21, { auditID: "" }),
    auditEvent(22, { level: 5 }),
    auditEvent(23, { stage: undefined }),
    auditEvent(24, { kind: "Pod" }),
    auditEvent(25, { apiVersion: "audit.k8s.io/v1beta1" }),
    auditEvent(26, { requestObject: { data: "x".repeat(11_000) } }),
    auditEvent(27, { kind: "Event", apiVersion: "audit.k8s.io/v1" }),
  ];
  const { answer, events } = await delivered(eventList(bad), 2);
  const causes = [
    ["items[1]", "is not an object"],
    ["items[2]", "auditID: is required"],
    ["items[3]", "level: is required"],
    ["items[4]", "stage: is required"],
    ["items[5]", "kind: is not Event"],
    ["items[6]", "apiVersion: is not audit.k8s.io/v1"],
    ["items[7]", "is longer than 10240 bytes"],
  ] as const;
  const message = `7 of 9 events cannot be kept, the others have been: ${causes.map(([field, text]) => `${field}: ${text}`).join(", ")}`;
  assert.equal(answer.status, 422);
  assert.deepEqual(
    JSON.parse(answer.body),
    failure(422, "Invalid", message, {
      group: "audit.k8s.io",
      kind: "EventList",
      causes: causes.map(([field, text]) => ({ reason: "FieldValueInvalid", message: text, field })),
    }),
  );
  assert.equal(events.length, 2);
});

test("what is no EventList is refused with a Status that says why", async () => {
  const head = '"kind":"EventList","apiVersion":"audit.k8s.io/v1"';
  const rows: readonly (readonly [string | Buffer, number, string])[] = [
    ["", 400, "the body of the request is not JSON: unexpected end at byte 0"],
    ["[]", 400, "the body of the request is not a JSON object"],
    ["{}", 400, "null of null is no EventList of audit.k8s.io/v1"],
    ['{"kind":"EventList"}', 400, '"EventList" of null is no EventList of audit.k8s.io/v1'],
    [
      `{"kind":"Event","apiVersion":"audit.k8s.io/v1"}`,
      400,
      '"Event" of "audit.k8s.io/v1" is no EventList of audit.k8s.io/v1',
    ],
    [`{${head},"items":{}}`, 400, "items of the EventList are not a list"],
    [`{${head},"items":[],"items":[]}`, 400, "the EventList has items twice"],
    [`{${head},"items":[{"a":1,}]}`, 400, "the body of the request is not JSON: unexpected character at byte 67"],
    [`{${head},"items":[{"a":01}]}`, 400, "the body of the request is not JSON: unexpected character at byte 66"],
    [`{${head},"items":[{"a":"\t"}]}`, 400, "the body of the request is not JSON: unexpected character at byte 66"],
    [`{${head},"items":[{"a":"\\x"}]}`, 400, "the body of the request is not JSON: unexpected character at byte 67"],
    [`{${head},"items":[{"a":tru}]}`, 400, "the body of the request is not JSON: unexpected character at byte 68"],
    [`{${head},"items":[`, 400, "the body of the request is not JSON: unexpected end at byte 60"],
    [`{${head}} {}`, 400, "the body of the request is not JSON: unexpected character at byte 52"],
    [
      `{${head},"items":[{"a":${"[".repeat(20_000)}`,
      400,
      "the body of the request is not JSON: more than 10010 levels at byte 10075",
    ],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22]), 400, "the body of the request is not UTF-8"],
    [`"${"x".repeat(2 ** 20)}"`, 413, "Request entity too large: limit is 1048576"],
  ];
  for (const [body, code, message] of rows) {
    const answer = await sink.post(body);
    const reason = code === 413 ? "RequestEntityTooLarge" : "BadRequest";
    assert.deepEqual(
      [answer.status, JSON.parse(answer.body)],
      [code, failure(code, reason, message)],
      String(body).slice(0, 99),
    );
  }
});

test("other methods, media types and paths are refused", async () => {
  const get = await sink.get("/audit");
  assert.deepEqual([get.status, get.headers["allow"]], [405, "POST"]);
  assert.equal((await sink.post("{}", { headers: { "content-type": "text/plain" } })).status, 415);
  assert.equal((await sink.post("{}", { headers: { "content-encoding": "gzip" } })).status, 415);
  assert.equal((await sink.get("/nothing")).status, 404);
});

test("sequence headers that make no sense are refused", async () => {
  const send = async (headers: Record<string, string>) => {
    const { status, body } = await sink.post(eventList([]), { headers });
    return [status, JSON.parse(body).message];
  };
  const source = "Gatehouse-Audit-Source must be 1 to 253 printable characters without spaces";
  const sequence = "Gatehouse-Audit-Sequence must be a number from 0 to 9007199254740991";
  assert.deepEqual(await send({ "gatehouse-audit-sequence": "1" }), [400, source]);
  assert.deepEqual(await send({ "gatehouse-audit-source": "a b", "gatehouse-audit-sequence": "1" }), [400, source]);
  assert.deepEqual(await send({ "gatehouse-audit-source": "a" }), [400, sequence]);
  assert.deepEqual(await send({ "gatehouse-audit-source": "a", "gatehouse-audit-sequence": "-1" }), [400, sequence]);
});

/** Begins a request whose body does not end. */
function beginRequest(port: number, headers: string, options: { readonly localAddress?: string } = {}): TLSSocket {
  const socket = connect({ host: "127.0.0.1", port, ca: folder.caPem, ...options });
  socket.on("error", () => undefined);
  socket.write(`POST /audit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`);
  return socket;
}

function pendingBytes(sink: TestSink, options: object = {}): Promise<number> {
  return sink
    .get("/metrics", options)
    .then(({ body }) => Number(/^gatehouse_audit_sink_intake_pending_bytes (\d+)$/m.exec(body)?.[1]));
}

test("a sender that is slow is cut off, even if it never pauses, and nothing of it is kept", async () => {
  await using impatient = await testSink(
    folder,
    await sinkConfig(folder, {
      pipelines: [{ name: "file", output: { file: { path: join(folder.path, "impatient.log") } } }],
      intake: { requestTimeout: "300ms" },
    }),
  );
  const socket = beginRequest(impatient.port, "Transfer-Encoding: chunked");
  const trickle = setInterval(() => socket.write("1\r\n \r\n"), 10);
  const ended = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (data) => {
      text += data.toString();
    });
    socket.on("close", () => resolve(text));
  });
  assert.match(await ended, /^(HTTP\/1.1 408 |$)/);
  clearInterval(trickle);
  await until(async () => (await pendingBytes(impatient)) === 0);
});

test("beyond the bytes that it may hold, a sender is told to come again, and others are served", async () => {
  const socket = beginRequest(sink.port, `Content-Length: ${2 ** 20}`);
  await until(async () => (await pendingBytes(sink)) === 2 ** 20);
  const answer = await sink.post(eventList([auditEvent(30)]));
  assert.deepEqual([answer.status, answer.headers["retry-after"]], [429, "1"]);
  const other = await sink.post(eventList([auditEvent(30)]), { localAddress: "127.0.0.2", agent: false });
  assert.equal(other.status, 200);
  socket.destroy();
  await until(async () => (await sink.post(eventList([auditEvent(31)]))).status === 200);
});

test("a sender with endless bodies leaves room for the bodies of other senders", async () => {
  const senders = ["endless", "cluster-a"].map((name) => ({ name, tokenFile: `${name}.tokens` }));
  for (const { name, tokenFile } of senders) {
    await writeFile(join(folder.path, tokenFile), `token-of-${name}\n`);
  }
  await using shared = await testSink(
    folder,
    await sinkConfig(folder, { anySender: false, senders, intake: { maxBodyBytes: "1Mi", maxPendingBytes: "4Mi" } }),
  );
  const sockets = Array.from({ length: 3 }, () => {
    const headers = "Authorization: Bearer token-of-endless\r\nTransfer-Encoding: chunked";
    const socket = beginRequest(shared.port, headers);
    const answered = new Promise<number>((resolve) => {
      socket.once("data", (data) => resolve(Number(data.toString().split(" ")[1])));
    });
    return { socket, answered };
  });
  assert.equal(await Promise.race(sockets.map(({ answered }) => answered)), 429, "one of three is too much");
  await until(async () => (await pendingBytes(shared)) === 2 * 2 ** 20);
  // Without a length, a body counts as the longest.
  const sent = beginRequest(shared.port, "Authorization: Bearer token-of-cluster-a\r\nTransfer-Encoding: chunked");
  const answered = new Promise<string>((resolve) => sent.once("data", (data) => resolve(data.toString())));
  const body = JSON.stringify(eventList([auditEvent(32)]));
  sent.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  assert.match(await answered, /^HTTP\/1.1 200 /);
  for (const { socket } of [...sockets, { socket: sent }]) {
    socket.destroy();
  }
});

test("senders and readers have credentials of their own", async () => {
  await writeFile(join(folder.path, "sender.tokens"), "old-token\nsender-token\n");
  await writeFile(join(folder.path, "reader.tokens"), "reader-token\n");
  await using guarded = await testSink(
    folder,
    await sinkConfig(folder, {
      anySender: false,
      anyReader: false,
      senders: [
        { name: "cluster-a", commonNames: ["kube-apiserver"] },
        { name: "cluster-b", tokenFile: "sender.tokens" },
      ],
      readers: [{ name: "security", commonNames: ["auditor"], tokenFile: "reader.tokens" }],
    }),
  );
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const certificate = await folder.client("kube-apiserver");
  const list = eventList([auditEvent(40)]);
  const send = async (options: object) => {
    const { status, body } = await guarded.post(list, options);
    return status === 200 ? 200 : [status, JSON.parse(body).message];
  };
  assert.deepEqual(await send({}), [401, "Unauthorized: the caller shows no credential that is asked for here"]);
  assert.equal(await send(bearer("sender-token")), 200);
  assert.equal(await send(bearer("old-token")), 200);
  assert.deepEqual(await send(bearer("no-token")), [401, "Unauthorized: the bearer token is not known here"]);
  assert.deepEqual(await send(bearer("reader-token")), [403, '"security" may not send events']);
  assert.equal(await send(certificate), 200);
  assert.deepEqual(await send(await folder.client("auditor")), [403, '"security" may not send events']);
  assert.deepEqual(await send(await folder.client("stranger")), [
    401,
    "Unauthorized: the name in the client certificate is none of those that may call",
  ]);
  const asked = await guarded.get("/api/events", bearer("sender-token"));
  assert.deepEqual([asked.status, JSON.parse(asked.body).reason], [403, "Forbidden"]);
  assert.match(JSON.parse(asked.body).message, /^"cluster-[ab]" may not read events$/);
  assert.equal((await guarded.get("/api/events")).status, 401);
  const counted = await guarded.get("/metrics", bearer("sender-token"));
  assert.equal(counted.status, 403);
  assert.match(JSON.parse(counted.body).message, /^"cluster-[ab]" may not read metrics$/);
  assert.equal((await guarded.get("/metrics")).status, 401);
  const metrics = await guarded.get("/metrics", bearer("reader-token"));
  assert.equal(metrics.status, 200);
  // The same event of two senders is two events; of the same sender it is one.
  assert.match(metrics.body, /received_events_total\{sender="cluster-b",outcome="kept"\} 1\n/);
  assert.match(metrics.body, /received_events_total\{sender="cluster-b",outcome="duplicate"\} 1\n/);
  assert.match(metrics.body, /received_events_total\{sender="cluster-a",outcome="kept"\} 1\n/);
  assert.equal((await guarded.get("/metrics", await folder.client("auditor"))).status, 200);
  assert.equal((await guarded.get("/livez")).status, 200);
  assert.equal((await guarded.get("/readyz")).status, 200);
});

test("duplicates are recognised after a restart", async () => {
  const again = await sinkConfig(folder, {});
  {
    await using first = await testSink(folder, again);
    assert.equal((await first.post(eventList([auditEvent(50), auditEvent(51)]))).status, 200);
  }
  await using second = await testSink(folder, again);
  assert.equal((await second.post(eventList([auditEvent(51), auditEvent(52)]))).status, 200);
  const metrics = (await second.get("/metrics")).body;
  assert.match(metrics, /received_events_total\{sender="anyone",outcome="kept"\} 1\n/);
  assert.match(metrics, /received_events_total\{sender="anyone",outcome="duplicate"\} 1\n/);
});
