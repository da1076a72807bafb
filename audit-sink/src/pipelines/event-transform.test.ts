import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "@gatehouse/envelopes/json";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { eventTransform } from "./event-transform.js";
import { parseRedactionPath, redact } from "./redaction.js";

const event = {
  level: "RequestResponse",
  auditID: "a",
  stage: "ResponseComplete",
  requestURI: "/api/v1/namespaces/shop/secrets/s",
  verb: "update",
  user: { username: "alice", groups: ["dev"] },
  requestObject: { kind: "Secret", data: { a: "1", b: "2" } },
  responseObject: { kind: "Secret", data: { a: "1" } },
};
const bytes = Buffer.from(JSON.stringify(event));

function transformed(policy: object | undefined, ...paths: readonly string[]): unknown {
  const result = eventTransform({ policy: policy as auditV1.Policy | undefined, redact: paths })(bytes);
  return result === bytes ? "as it came" : result === undefined ? "left out" : JSON.parse(result.toString());
}

test("a policy leaves events out, cuts them down, and never raises them", () => {
  const { responseObject: _, ...atRequest } = { ...event, level: "Request" };
  const { requestObject: __, ...atMetadata } = { ...atRequest, level: "Metadata" };
  const rule = (level: string, rest: object = {}) => ({ rules: [{ level, ...rest }] });
  assert.equal(transformed(undefined), "as it came");
  assert.equal(transformed(rule("RequestResponse")), "as it came");
  assert.deepEqual(transformed(rule("Request")), atRequest);
  assert.deepEqual(transformed(rule("Metadata")), atMetadata);
  assert.equal(transformed(rule("None")), "left out");
  assert.equal(transformed(rule("Metadata", { users: ["bob"] })), "left out");
  assert.deepEqual(transformed(rule("Metadata", { resources: [{ group: "", resources: ["secrets"] }] })), atMetadata);
  assert.equal(transformed({ ...rule("RequestResponse"), omitStages: ["ResponseComplete"] }), "left out");
});

test("fields are blotted out after the policy", () => {
  assert.deepEqual(transformed(undefined, "requestObject.data", "responseObject.data.*"), {
    ...event,
    requestObject: { kind: "Secret", data: "REDACTED" },
    responseObject: { kind: "Secret", data: { a: "REDACTED" } },
  });
  assert.equal(transformed(undefined, "requestObject.spec", "user.extra"), "as it came");
});

test("paths lead through members, any member and any item", () => {
  const value = (): JsonValue => ({
    spec: { containers: [{ env: [{ name: "a", value: "1" }] }, { env: [{ value: "2" }, {}] }, {}] },
    annotations: { "a.b/c": "x", 'q"': "y" },
  });
  const rows: readonly (readonly [string, string])[] = [
    [
      "spec.containers[*].env[*].value",
      '{"spec":{"containers":[{"env":[{"name":"a","value":"REDACTED"}]},{"env":[{"value":"REDACTED"},{}]},{}]},"annotations":{"a.b/c":"x","q\\"":"y"}}',
    ],
    ['annotations["a.b/c"]', '"a.b/c":"REDACTED","q\\"":"y"'],
    ['annotations["q\\""]', '"a.b/c":"x","q\\"":"REDACTED"'],
    ["annotations.*", '"a.b/c":"REDACTED","q\\"":"REDACTED"'],
    ["*.containers", '"containers":"REDACTED"'],
    ["spec.containers[*]", '"containers":["REDACTED","REDACTED","REDACTED"]'],
  ];
  for (const [text, expected] of rows) {
    const path = parseRedactionPath(text);
    const changed = value();
    assert.ok(path !== undefined && redact(changed, path), text);
    assert.ok(JSON.stringify(changed).includes(expected), `${text}: ${JSON.stringify(changed)}`);
  }
});

test("what is no path is told from what is one", () => {
  for (const text of ["", ".", ".a", "a.", "a..b", "a b", "a[0]", "a[", 'a["b', "a[*]b"]) {
    assert.equal(parseRedactionPath(text), undefined, text);
  }
  const own = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as JsonValue;
  assert.ok(redact(own, parseRedactionPath("__proto__.a") ?? []));
  assert.ok(redact(own, parseRedactionPath("__proto__") ?? []));
  assert.equal(JSON.stringify(own), '{"__proto__":"REDACTED","constructor":2}');
  assert.ok(!redact({}, parseRedactionPath("constructor.name") ?? []));
});
