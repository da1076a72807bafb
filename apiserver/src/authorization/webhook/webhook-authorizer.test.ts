import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { after, beforeEach, describe, test } from "node:test";
import { issueCertificate } from "@gatehouse/component-base/pki";
import type { RequestInfo } from "../../request/request-info.js";
import type { AuthorizationAttributes } from "../authorizer.js";
import { compileAccessCondition } from "./access-conditions.js";
import { type WebhookAuthorizerOptions, webhookAuthorizer } from "./webhook-authorizer.js";

const now = Date.now();
const validity = { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + 3_600_000) };
const ca = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });
const serving = await issueCertificate({
  subject: { kind: "server", commonName: "access", dnsNames: [], ipAddresses: ["127.0.0.1"] },
  issuer: ca,
  ...validity,
});
let asked: string[] = [];
let answer: (response: ServerResponse) => void = () => {};
const webhook = createServer({ cert: serving.certificatePem, key: serving.keyPem }, async (request, response) => {
  let body = "";
  for await (const chunk of request) {
    body += chunk;
  }
  asked.push(body);
  answer(response);
});
webhook.listen(0, "127.0.0.1");
await once(webhook, "listening");
const { port } = webhook.address() as AddressInfo;
const stopping = new AbortController();
after(() => {
  stopping.abort();
  webhook.close();
  webhook.closeAllConnections();
});

let time = 0;
const authorizer = (options: Partial<WebhookAuthorizerOptions> = {}) =>
  webhookAuthorizer({
    client: {
      server: new URL(`https://127.0.0.1:${port}/authorize`),
      certificateAuthorityPem: ca.certificatePem,
      insecureSkipTlsVerify: false,
    },
    version: "v1",
    authorizedTtlMs: 300_000,
    unauthorizedTtlMs: 30_000,
    timeoutMs: 30_000,
    decisionOnError: "noOpinion",
    retryBackoffMs: 1,
    now: () => time,
    signal: stopping.signal,
    ...options,
  });

const status =
  (body: object, version = "v1") =>
  (response: ServerResponse) => {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ kind: "SubjectAccessReview", apiVersion: `authorization.k8s.io/${version}`, status: body }),
    );
  };

function question(info: Partial<RequestInfo> = {}): AuthorizationAttributes {
  const about = { isResourceRequest: true, path: "/api/v1/namespaces/n/pods/p", verb: "get", apiPrefix: "api" };
  const what = { group: "", version: "v1", namespace: "n", resource: "pods", subresource: "", name: "p" };
  return {
    user: { username: "ann", uid: "7", groups: ["dev"], extra: { b: ["2"], a: ["1"] } },
    info: { ...about, ...what, parts: [], rest: "", ...info },
  };
}

/** Returns the decision, with the error as text. */
async function decide(of: ReturnType<typeof authorizer>, attributes = question()) {
  const { error, ...decision } = await of.authorize(attributes);
  return error === undefined ? decision : { ...decision, error: error.message.replaceAll(`:${port}`, "") };
}

beforeEach(() => {
  asked = [];
});

describe("A webhook that decides", () => {
  test("is asked what v1.29 asks", async () => {
    answer = status({ allowed: true });
    await decide(authorizer());
    await decide(authorizer(), question({ isResourceRequest: false, path: "/x" }));
    answer = status({ allowed: true }, "v1beta1");
    await decide(authorizer({ version: "v1beta1" }), question({ name: "", subresource: "log" }));
    const who = '"user":"ann","groups":["dev"],"extra":{"a":["1"],"b":["2"]},"uid":"7"';
    const head = (version: string): string =>
      `{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/${version}","metadata":{"creationTimestamp":null},"spec":`;
    assert.deepEqual(asked, [
      `${head("v1")}{"resourceAttributes":{"namespace":"n","verb":"get","version":"v1","resource":"pods","name":"p"},${who}},"status":{"allowed":false}}\n`,
      `${head("v1")}{"nonResourceAttributes":{"path":"/x","verb":"get"},${who}},"status":{"allowed":false}}\n`,
      `${head("v1beta1")}{"resourceAttributes":{"namespace":"n","verb":"get","version":"v1","resource":"pods","subresource":"log"},${who.replace("groups", "group")}},"status":{"allowed":false}}\n`,
    ]);
  });

  const rows: readonly [string, object, object][] = [
    ["allows", { allowed: true, reason: "why not" }, { decision: "allow", reason: "why not" }],
    ["has no opinion", { allowed: false, reason: "who?" }, { decision: "noOpinion", reason: "who?" }],
    ["denies", { allowed: false, denied: true, reason: "no" }, { decision: "deny", reason: "no" }],
    [
      "denies when it says both",
      { allowed: true, denied: true },
      {
        decision: "deny",
        reason: "",
        error: "webhook subject access review returned both allow and deny response",
      },
    ],
  ];
  for (const [name, body, expected] of rows) {
    test(name, async () => {
      answer = status(body);
      assert.deepEqual(await decide(authorizer()), expected);
    });
  }

  test("is not asked again as long as its answer is remembered", async () => {
    const [allowing, denying] = [authorizer(), authorizer()];
    const askedAfter: number[] = [];
    for (const [of, allowed] of [
      [allowing, true],
      [denying, false],
    ] as const) {
      answer = status({ allowed });
      for (const at of [0, 29_999, 30_000, 299_999, 300_000]) {
        time = at;
        await decide(of);
        askedAfter.push(asked.length);
      }
    }
    time = 0;
    assert.deepEqual(askedAfter, [1, 1, 1, 1, 2, 3, 3, 4, 5, 5]);
  });

  test("is asked anew what has 10,000 characters", async () => {
    answer = status({ allowed: true });
    const of = authorizer();
    const long = (length: number) => question({ name: "x".repeat(length), path: "" });
    for (const length of [9990, 9990, 9989, 9989]) {
      // Verb, version, resource and namespace have ten more.
      await decide(of, long(length));
    }
    assert.equal(asked.length, 3);
  });

  test("is tried again when it may be a passing trouble", async () => {
    answer = (response) => {
      if (asked.length < 3) {
        response.statusCode = 500;
        response.end();
      } else {
        status({ allowed: true })(response);
      }
    };
    assert.deepEqual(await decide(authorizer()), { decision: "allow", reason: "" });
    assert.equal(asked.length, 3);
  });

  test("has no opinion when it cannot be asked, or denies where it is to, and is asked anew", async () => {
    answer = (response) => {
      response.statusCode = 404;
      response.end("gone");
    };
    const of = authorizer();
    const error = "the server could not find the requested resource";
    assert.deepEqual(await decide(of), { decision: "noOpinion", reason: "", error });
    assert.deepEqual(await decide(of), { decision: "noOpinion", reason: "", error });
    assert.deepEqual(await decide(authorizer({ decisionOnError: "deny" })), { decision: "deny", reason: "", error });
    assert.equal(asked.length, 3);
  });

  test("has no opinion when it says nothing in time", async () => {
    answer = () => {};
    assert.deepEqual(await decide(authorizer({ timeoutMs: 100 })), {
      decision: "noOpinion",
      reason: "",
      error:
        'Post "https://127.0.0.1/authorize?timeout=0.1s": net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
    });
  });

  test("cannot tell all that it allows", async () => {
    const known = await authorizer().rulesFor?.({ username: "ann", groups: [] }, "n");
    assert.deepEqual(known?.rules, []);
    assert.equal(known?.incomplete, true);
    assert.equal(known?.error?.message, "webhook authorizer does not support user rule resolution");
  });

  const get = "request.resourceAttributes.verb == 'get'";
  const fails = "request.nonResourceAttributes.path == '/x'";
  const failure = `cel evaluation error: expression '${fails}' resulted in error: no such key: nonResourceAttributes`;
  const noOpinion = { decision: "noOpinion", reason: "" };
  const conditionRows: readonly (readonly [name: string, conditions: readonly string[], decision: object])[] = [
    [
      "asked when all are true",
      [get, "request.user == 'ann' && request.uid == '7'"],
      { decision: "allow", reason: "" },
    ],
    [
      "asked about members that are empty",
      ["request.resourceAttributes.subresource == ''"],
      { decision: "allow", reason: "" },
    ],
    [
      "asked about groups and extra",
      ["'dev' in request.groups && request.extra['a'] == ['1']"],
      { decision: "allow", reason: "" },
    ],
    ["not asked when one is false", [get, "'ops' in request.groups"], noOpinion],
    ["not asked when one is false and another fails", [fails, "false"], noOpinion],
    ["not asked when one fails", [get, fails], { ...noOpinion, error: failure }],
    [
      "not asked when two fail",
      [fails, "1 / size(request.user.substring(3)) == 1"],
      {
        ...noOpinion,
        error: `[${failure}, cel evaluation error: expression '1 / size(request.user.substring(3)) == 1' resulted in error: division by zero]`,
      },
    ],
  ];
  for (const [name, sources, expected] of conditionRows) {
    test(`with match conditions is ${name}`, async () => {
      answer = status({ allowed: true });
      const matchConditions = sources.map((source) => {
        const condition = compileAccessCondition(source);
        return typeof condition === "string" ? assert.fail(condition) : condition;
      });
      assert.deepEqual(await decide(authorizer({ matchConditions })), expected);
      assert.equal(asked.length, name.startsWith("asked") ? 1 : 0);
    });
  }

  test("denies when a match condition fails and the failure policy says so", async () => {
    const condition = compileAccessCondition(fails);
    const matchConditions = typeof condition === "string" ? [] : [condition];
    const decision = await decide(authorizer({ matchConditions, decisionOnError: "deny" }));
    assert.deepEqual(decision, { decision: "deny", reason: "", error: failure });
    assert.deepEqual(asked, []);
  });
});
