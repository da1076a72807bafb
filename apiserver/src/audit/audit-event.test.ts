import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Exchange } from "../request/exchange.js";
import { auditEvent } from "./backend.test.support.js";
import { latencyAnnotations } from "./latency.js";
import { legacyLine } from "./legacy-format.js";
import { MicroClock, microTimeText } from "./micro-clock.js";
import { onOneLine } from "./recorded-json.js";
import { retryDelayMs } from "./retry-delays.js";
import { sourceIps } from "./source-ips.js";

describe("an event", () => {
  test("is JSON in v1.29's order, without what is empty", () => {
    assert.equal(
      auditEvent("id").document,
      '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/default/pods","verb":"create","user":{"username":"ann","groups":["humans","system:authenticated"]},"sourceIPs":["10.0.0.1"],"userAgent":"test/1.0","requestReceivedTimestamp":"2023-11-14T22:13:20.123456Z","stageTimestamp":"2023-11-14T22:13:20.123999Z"}',
    );
  });

  test("has all its members", () => {
    const event = auditEvent('a"b', {
      level: "RequestResponse",
      impersonatedUser: { username: "bob", uid: "1", groups: [], extra: { z: ["1"], a: ["2", "3"] } },
      objectRef: {
        resource: "pods",
        namespace: "n",
        name: "",
        uid: "",
        apiGroup: "",
        apiVersion: "v1",
        resourceVersion: "7",
        subresource: "log",
      },
      responseStatus: { status: "Failure", message: "", reason: "Gone", details: { name: "p" }, code: 410 },
      requestObject: Buffer.from('{"a":1}'),
      responseObject: Buffer.from("[]"),
      annotations: new Map([
        ["z", "1"],
        ["a", ""],
      ]),
    });
    const { kind: _kind, apiVersion: _version, ...members } = JSON.parse(event.document);
    assert.deepEqual(JSON.parse(event.item), members);
    assert.deepEqual(members, {
      ...JSON.parse(auditEvent('a"b').item),
      level: "RequestResponse",
      impersonatedUser: { username: "bob", uid: "1", extra: { a: ["2", "3"], z: ["1"] } },
      objectRef: { resource: "pods", namespace: "n", apiVersion: "v1", resourceVersion: "7", subresource: "log" },
      responseStatus: { metadata: {}, status: "Failure", reason: "Gone", details: { name: "p" }, code: 410 },
      requestObject: { a: 1 },
      responseObject: [],
      annotations: { a: "", z: "1" },
    });
    assert.ok(event.item.indexOf('"a":""') < event.item.indexOf('"z":"1"}}'), "annotations are sorted");
  });

  test("is a line of text in the legacy format", () => {
    assert.equal(
      legacyLine(auditEvent("id", { responseStatus: { code: 201 } })),
      '2023-11-14T22:13:20.123456Z AUDIT: id="id" stage="ResponseComplete" ip="10.0.0.1" method="create" user="ann" groups="\\"humans\\",\\"system:authenticated\\"" as="<self>" asgroups="<lookup>" user-agent="test/1.0" namespace="<none>" uri="/api/v1/namespaces/default/pods" response="201"',
    );
    const { subject } = auditEvent("id").init;
    const nobody = auditEvent("id", {
      subject: { ...subject, user: undefined, sourceIPs: [], receivedMicros: 1_700_000_000_000_000 },
      impersonatedUser: { username: "bob", groups: ["g"] },
    });
    assert.equal(
      legacyLine(nobody),
      '2023-11-14T22:13:20Z AUDIT: id="id" stage="ResponseComplete" ip="<unknown>" method="create" user="<none>" groups="<none>" as="bob" asgroups="\\"g\\"" user-agent="test/1.0" namespace="<none>" uri="/api/v1/namespaces/default/pods" response="<deferred>"',
    );
  });
});

test("JSON is put on one line, whatever it is indented with, and texts stay as they are", () => {
  for (const [text, line] of [
    ['{"a":1}', '{"a":1}'],
    ['{"a":1}\n', '{"a":1}'],
    ['{\n  "a  b": [\r\n\t1,\n2\n  ]\n}\n', '{"a  b": [1,2]}'],
    ['{ "a": "b\\n  c" }', '{ "a": "b\\n  c" }'],
    ["", ""],
  ] as const) {
    assert.equal(onOneLine(Buffer.from(text)).toString(), line);
  }
});

describe("the addresses that a request comes from", () => {
  const rows: readonly (readonly [
    headers: Record<string, string>,
    remote: string | undefined,
    ips: readonly string[],
  ])[] = [
    [{}, "10.0.0.9", ["10.0.0.9"]],
    [{}, "::ffff:10.0.0.9", ["10.0.0.9"]],
    [{}, "2001:db8:0:0:1::0", ["2001:db8:0:0:1::"]],
    [{ "x-forwarded-for": "1.2.3.4, bad,,5.6.7.8" }, "10.0.0.9", ["1.2.3.4", "5.6.7.8", "10.0.0.9"]],
    [{ "x-forwarded-for": "1.2.3.4", "x-real-ip": "1.2.3.4" }, "10.0.0.9", ["1.2.3.4", "10.0.0.9"]],
    [{ "x-forwarded-for": "1.2.3.4", "x-real-ip": "::1" }, "10.0.0.9", ["1.2.3.4", "::1", "10.0.0.9"]],
    [{ "x-forwarded-for": "10.0.0.9,1.2.3.4" }, "10.0.0.9", ["10.0.0.9", "1.2.3.4", "10.0.0.9"]],
    [{ "x-real-ip": "10.0.0.9" }, "10.0.0.9", ["10.0.0.9"]],
    [{ "x-real-ip": "::" }, undefined, ["::"]],
  ];
  for (const [headers, remoteAddress, ips] of rows) {
    test(`of ${JSON.stringify(headers)} from ${remoteAddress} are ${ips.join()}`, () => {
      assert.deepEqual(sourceIps({ headers, ...from(remoteAddress, (name) => [headers[name] ?? ""]) }), ips);
    });
  }

  test("are those of the first header, if there are several", () => {
    const headers = { "x-forwarded-for": "1.2.3.4, 5.6.7.8" };
    const exchange = { headers, ...from("10.0.0.9", () => ["1.2.3.4", "5.6.7.8"]) };
    assert.deepEqual(sourceIps(exchange), ["1.2.3.4", "10.0.0.9"]);
  });

  function from(
    remoteAddress: string | undefined,
    headerValues: Exchange["headerValues"],
  ): Pick<Exchange, "headerValues" | "socket"> {
    return { headerValues, socket: { remoteAddress } as Exchange["socket"] };
  }
});

test("slow requests tell where the time went, unless they have waited for nothing", () => {
  const waited = new Map([["etcd", 1.5] as const, ["mutating-webhook", 600] as const]);
  assert.deepEqual([...latencyAnnotations(500, waited)], []);
  assert.deepEqual([...latencyAnnotations(501)], []);
  assert.deepEqual(
    [...latencyAnnotations(750.25, waited)],
    [
      ["apiserver.latency.k8s.io/etcd", "1.5ms"],
      ["apiserver.latency.k8s.io/mutating-webhook", "600ms"],
      ["apiserver.latency.k8s.io/total", "750.25ms"],
    ],
  );
});

test("tries are further apart each time, by half as much again, and never quite alike", () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((retry) => retryDelayMs(1000, retry, () => 0)),
    [1000, 1500, 2250, 3375],
  );
  assert.equal(
    retryDelayMs(1000, 1, () => 1),
    1200,
  );
  assert.equal(
    retryDelayMs(1000, 100, () => 0),
    60_000,
  );
});

test("the clock tells microseconds of the day, and never runs away from the system's", () => {
  const clock = new MicroClock();
  const first = clock.at();
  const second = clock.at();
  assert.ok(second >= first);
  assert.ok(Math.abs(first / 1000 - Date.now()) < 10_000);
  assert.equal(microTimeText(1_700_000_000_000_007), "2023-11-14T22:13:20.000007Z");
});
