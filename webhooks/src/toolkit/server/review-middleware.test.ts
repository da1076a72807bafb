import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  anyAuthenticator,
  anyCaller,
  clientCertificates,
  openBearerTokens,
} from "@gatehouse/component-base/https-service";
import { createLogger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import { badRequest } from "@gatehouse/envelopes/status";
import express from "express";
import request from "supertest";
import type { ReviewEndpoint } from "./review-endpoint.js";
import { type ReviewMiddlewareOptions, reviewMiddleware } from "./review-middleware.js";

const echo: ReviewEndpoint = {
  path: "/echo",
  name: "echo",
  answer: (review) => ({ body: { seen: review }, outcome: "allowed" }),
};

function appOf(options: Partial<ReviewMiddlewareOptions>): express.Express {
  const app = express();
  app.use(reviewMiddleware({ endpoints: [echo], callers: anyCaller, ...options }));
  return app;
}

const folder = await mkdtemp(join(tmpdir(), "gatehouse-webhooks-"));
after(() => rm(folder, { recursive: true }));

test("a review that is posted is answered by the endpoint of its path", async () => {
  const response = await request(appOf({})).post("/echo?timeout=10s").send({ a: 1 });
  assert.equal(response.status, 200);
  assert.equal(response.headers["content-type"], "application/json");
  assert.deepEqual(response.body, { seen: { a: 1 } });
});

test("integers beyond 2^53 and keys such as __proto__ come through as they are", async () => {
  const text = '{"__proto__":{"a":1},"big":12345678901234567890}';
  const response = await request(appOf({})).post("/echo").type("json").send(text);
  assert.equal(response.text, `{"seen":${text}}`);
});

test("calls for other paths are left to the rest of the app", async () => {
  const app = appOf({});
  app.get("/other", (_request, response) => {
    response.send("other");
  });
  assert.equal((await request(app).get("/other")).text, "other");
});

test("a body that the app has parsed for all its routes is used", async () => {
  const app = express();
  app.use(express.json());
  app.use("/hooks", reviewMiddleware({ endpoints: [echo], callers: anyCaller }));
  assert.deepEqual((await request(app).post("/hooks/echo").send({ a: 1 })).body, { seen: { a: 1 } });
});

const refused: readonly [
  name: string,
  send: (app: express.Express) => request.Test,
  code: number,
  reason: string,
  message: string,
][] = [
  [
    "another method than POST",
    (app) => request(app).get("/echo"),
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
  ],
  [
    "another media type than JSON",
    (app) => request(app).post("/echo").type("application/yaml").send("a: 1"),
    415,
    "UnsupportedMediaType",
    "the body of the request was in an unknown format - accepted media types include: application/json",
  ],
  [
    "a body that is not JSON",
    (app) => request(app).post("/echo").type("json").send("{"),
    400,
    "BadRequest",
    "the body of the request is not JSON",
  ],
  [
    "a body that is a list",
    (app) => request(app).post("/echo").send([]),
    400,
    "BadRequest",
    "the body of the request is not a JSON object",
  ],
  [
    "an empty body",
    (app) => request(app).post("/echo").type("json"),
    400,
    "BadRequest",
    "the body of the request is not JSON",
  ],
  [
    "a body that is too large",
    (app) =>
      request(app)
        .post("/echo")
        .send({ a: "x".repeat(200) }),
    413,
    "RequestEntityTooLarge",
    "Request entity too large: limit is 100",
  ],
];

test("a review of many values is read in steps, so that others are answered meanwhile", async () => {
  const members = Array.from({ length: 100_000 }, (_, index) => `"k${index}":0`);
  const text = `{"request":{"object":{"data":{${members.join(",")}}}}}`;
  const { parse } = JSON;
  let longest = 0;
  try {
    JSON.parse = (source: string, ...rest) => {
      longest = Math.max(longest, source.length);
      return parse(source, ...rest);
    };
    const silent: ReviewEndpoint = { ...echo, answer: () => ({ body: {}, outcome: "allowed" }) };
    const app = appOf({ endpoints: [silent] });
    const response = await request(app).post("/echo").type("json").send(text);
    assert.equal(response.status, 200);
  } finally {
    JSON.parse = parse;
  }
  assert.ok(longest < text.length / 10, `${longest} characters were parsed in one piece`);
});

test("a review with more values than two objects may have is refused with 413", async () => {
  const send = (count: number) => {
    const members = Array.from({ length: count }, (_, index) => `"k${index}":0`);
    return request(appOf({}))
      .post("/echo")
      .type("json")
      .send(`{${members.join(",")}}`);
  };
  assert.equal((await send(209_000)).status, 200);
  const { body } = await send(400_000);
  assert.equal(body.code, 413);
  assert.equal(body.message, "Request entity too large: json: more than 210000 values in one document");
});

for (const [name, send, code, reason, message] of refused) {
  test(`${name} is refused with ${code}`, async () => {
    const response = await send(appOf({ limits: { maxBodyBytes: 100 } }));
    assert.equal(response.status, code);
    assert.equal(response.body.kind, "Status");
    assert.equal(response.body.code, code);
    assert.equal(response.body.reason, reason);
    assert.equal(response.body.message, message);
  });
}

test("a body of unknown length is cut off at the limit", async () => {
  const app = appOf({ limits: { maxBodyBytes: 100 } });
  const sent = request(app).post("/echo").type("json").set("Transfer-Encoding", "chunked");
  sent.write(`{"a":"${"x".repeat(200)}`);
  assert.equal((await sent).status, 413);
});

test("without a credential nobody is believed by default", async () => {
  const response = await request(appOf({ callers: clientCertificates() }))
    .post("/echo")
    .send({});
  assert.equal(response.status, 401);
  assert.equal(response.headers["www-authenticate"], "Bearer");
  assert.equal(response.body.message, "Unauthorized: the caller shows no credential that is asked for here");
});

test("bearer tokens of a file are believed, and a new file soon counts", async () => {
  const file = join(folder, "tokens");
  await writeFile(file, "first\nsecond\n");
  let time = 0;
  const callers = anyAuthenticator([clientCertificates(), await openBearerTokens({ file, now: () => time })]);
  const app = appOf({ callers });
  const statusWith = async (token: string): Promise<number> =>
    (await request(app).post("/echo").set("Authorization", token).send({})).status;
  assert.equal(await statusWith("Bearer first"), 200);
  assert.equal(await statusWith("bearer second"), 200);
  assert.equal(await statusWith("Bearer third"), 401);
  assert.equal(await statusWith("Basic first"), 401);
  await writeFile(file, "third\n");
  time = 10_000;
  assert.equal(await statusWith("Bearer third"), 200);
  assert.equal(await statusWith("Bearer first"), 401);
  await writeFile(file, "");
  time = 20_000;
  assert.equal(await statusWith("Bearer third"), 200);
});

test("what an endpoint throws becomes 500 without its details, which are logged with the uid and nothing else", async () => {
  const lines: string[] = [];
  const logger = createLogger({ name: "test", write: (line) => lines.push(line) });
  const failing: ReviewEndpoint = {
    ...echo,
    answer: () => {
      throw new Error("secret");
    },
  };
  const review = { request: { uid: "u-1", object: { data: "private" } } };
  const response = await request(appOf({ endpoints: [failing], logger }))
    .post("/echo")
    .send(review);
  assert.equal(response.status, 500);
  assert.equal(response.body.message, 'Internal error occurred: hook "echo" failed to decide; its log has the details');
  assert.ok(!response.text.includes("secret"));
  assert.equal(lines.length, 1);
  const line = JSON.parse(lines[0] ?? "");
  assert.deepEqual([line.level, line.msg, line.hook, line.uid], ["error", "a hook failed to decide", "echo", "u-1"]);
  assert.ok(!lines[0]?.includes("private"));
});

test("an endpoint's own refusal goes to the caller as it is", async () => {
  const refusing: ReviewEndpoint = { ...echo, answer: () => Promise.reject(badRequest("no uid")) };
  const response = await request(appOf({ endpoints: [refusing] }))
    .post("/echo")
    .send({});
  assert.deepEqual([response.status, response.body.message], [400, "no uid"]);
});

test("beyond the places there is a bounded queue, beyond that 429, and metrics tell", async () => {
  const metrics = createMetricsRegistry({ processMetrics: false });
  const gates: (() => void)[] = [];
  const slow: ReviewEndpoint = {
    ...echo,
    answer: () => new Promise((resolve) => gates.push(() => resolve({ body: {}, outcome: "denied" }))),
  };
  const app = appOf({ endpoints: [slow], limits: { maxConcurrent: 1, maxWaiting: 1 }, metrics });
  const server = app.listen(0);
  try {
    const post = () => request(server).post("/echo").send({});
    const first = post().then((response) => response.status);
    await until(() => gates.length === 1);
    const second = post().then((response) => response.status);
    await until(async () => (await metrics.render()).includes("gatehouse_webhook_reviews_waiting 1"));
    const third = await post();
    assert.equal(third.status, 429);
    assert.equal(third.headers["retry-after"], "1");
    gates[0]?.();
    assert.equal(await first, 200);
    await until(() => gates.length === 2);
    gates[1]?.();
    assert.equal(await second, 200);
    const text = await metrics.render();
    assert.match(text, /gatehouse_webhook_reviews_total\{hook="echo",outcome="denied"\} 2/);
    assert.match(text, /gatehouse_webhook_reviews_total\{hook="echo",outcome="refused"\} 1/);
    assert.match(text, /gatehouse_webhook_reviews_running 0/);
  } finally {
    server.close();
  }
});

test("the signal of a call aborts when the caller's time is up", async () => {
  let aborted = false;
  const waiting: ReviewEndpoint = {
    ...echo,
    answer: (_review, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(signal.reason);
        });
      }),
  };
  const response = await request(appOf({ endpoints: [waiting] }))
    .post("/echo?timeout=20ms")
    .send({});
  assert.deepEqual([response.status, aborted], [500, true]);
});

test("two endpoints at one path are a mistake that is told at once", () => {
  assert.throws(
    () => reviewMiddleware({ endpoints: [echo, echo] }),
    new TypeError("two endpoints have the path /echo"),
  );
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 60_000; !(await holds()); ) {
    assert.ok(performance.now() < end, "the condition did not come to hold");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
