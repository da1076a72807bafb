import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveRequestInfo } from "../request/request-info.js";
import { compileFlowSchema } from "./compile-flow-schema.js";
import { dumpPriorityLevels, dumpQueues, dumpRequests } from "./dump.js";
import { bootstrapFlowSchema, bootstrapPriorityLevel } from "./mandatory-objects.js";
import { readPriorityLevel } from "./read-priority-level.js";
import { queueingLevel, schemaOf, TestLevels } from "./test-levels.test.support.js";

const pods = resolveRequestInfo("GET", "/api/v1/namespaces/default/pods", new URLSearchParams());
const admin = { username: "admin", groups: ["system:masters", "system:authenticated"] };
const somebody = { username: "somebody", groups: ["system:authenticated"] };
const nobody = { username: "nobody", groups: [] };

test("the mandatory levels and schemas count even where no object says so", () => {
  const { levels } = new TestLevels(600);
  assert.deepEqual([...levels.levels.keys()].sort(), ["catch-all", "exempt"]);
  assert.equal(levels.classify(admin, pods).level.config.name, "exempt");
  assert.equal(levels.classify(somebody, pods).level.config.name, "catch-all");
  assert.equal(levels.classify(nobody, pods).level.config.name, "catch-all");
});

test("a schema is passed over while its level does not exist", () => {
  const { levels } = new TestLevels(600);
  levels.configure([], [schemaOf("missing")]);
  assert.equal(levels.classify(somebody, pods).schema.name, "catch-all");
  levels.configure([queueingLevel("missing", 64, 50)], [schemaOf("missing")]);
  assert.equal(levels.classify(somebody, pods).schema.name, "missing");
});

test("schemas with a lower precedence come first, and among equals those whose names come first", () => {
  const { levels } = new TestLevels(600);
  levels.configure(
    ["c", "b", "a"].map((name) => queueingLevel(name, 64, 50)),
    [schemaOf("c", 10), schemaOf("b", 5), schemaOf("a", 10)],
  );
  assert.equal(levels.classify(somebody, pods).schema.name, "b");
  levels.configure(
    ["c", "a"].map((name) => queueingLevel(name, 64, 50)),
    [schemaOf("c", 10), schemaOf("a", 10)],
  );
  assert.equal(levels.classify(somebody, pods).schema.name, "a");
});

test("seats are lent by levels that do not need them, and given back when they do", () => {
  const test = new TestLevels(100);
  const lender = readPriorityLevel(
    bootstrapPriorityLevel("lender", {
      type: "Limited",
      limited: {
        nominalConcurrencyShares: 50,
        lendablePercent: 80,
        limitResponse: { type: "Queue", queuing: { queues: 1, handSize: 1, queueLengthLimit: 50 } },
      },
    }),
  );
  assert.ok(lender);
  test.levels.configure([queueingLevel("busy", 1, 1000, 50), lender], [schemaOf("busy")]);
  const busy = test.levels.levels.get("busy") ?? assert.fail();
  const before = busy.currentSeats;
  for (let index = 0; index < 200; index++) {
    test.start("a");
  }
  test.nowMs += 10_000;
  test.levels.adjust();
  assert.ok(busy.currentSeats > before, `${before} seats before, ${busy.currentSeats} afterwards`);
  assert.equal(test.levels.levels.get("lender")?.currentSeats, 10);
  assert.equal(test.begun.length, busy.currentSeats - before);
});

test("a level that nothing configures any more goes when its last request has ended", () => {
  const test = new TestLevels(100);
  test.configure(queueingLevel("old", 64, 50));
  const { request } = test.start("a");
  const old = test.levels.levels.get("old") ?? assert.fail();
  test.levels.configure([], []);
  assert.ok(old.isQuiescing);
  assert.ok(test.levels.levels.has("old"));
  test.finish(request);
  test.levels.removeIfDone(old);
  assert.ok(!test.levels.levels.has("old"));
});

test("levels that contradict themselves are passed over", () => {
  const limited = { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } };
  const specs = [
    { type: "Limited" },
    { type: "Exempt", limited },
    { type: "Limited", limited: { ...limited, limitResponse: { type: "Queue" } } },
    { type: "Exempt", exempt: {} },
  ];
  for (const spec of specs) {
    assert.equal(readPriorityLevel(bootstrapPriorityLevel("odd", spec)), undefined);
  }
  assert.equal(readPriorityLevel(bootstrapPriorityLevel("exempt", { type: "Limited", limited })), undefined);
});

const rules: readonly (readonly [name: string, subject: object, rule: object, request: string, matches: boolean])[] = [
  ["a user", { kind: "User", user: { name: "bob" } }, {}, "bob GET /api/v1/pods", true],
  ["another user", { kind: "User", user: { name: "eve" } }, {}, "bob GET /api/v1/pods", false],
  ["every user", { kind: "User", user: { name: "*" } }, {}, "bob GET /api/v1/pods", true],
  [
    "an account",
    { kind: "ServiceAccount", serviceAccount: { namespace: "a", name: "b" } },
    {},
    "system:serviceaccount:a:b GET /api/v1/pods",
    true,
  ],
  [
    "every account of a namespace, but not of one whose name goes on",
    { kind: "ServiceAccount", serviceAccount: { namespace: "a", name: "*" } },
    {},
    "system:serviceaccount:ab:c GET /api/v1/pods",
    false,
  ],
  ["a verb", anybody(), { verbs: ["create"] }, "bob GET /api/v1/pods", false],
  ["a subresource", anybody(), { resources: ["pods/status"] }, "bob PUT /api/v1/namespaces/x/pods/a/status", true],
  [
    "a resource, which is none of its parts",
    anybody(),
    { resources: ["pods"] },
    "bob PUT /api/v1/namespaces/x/pods/a/status",
    false,
  ],
  ["a group", anybody(), { apiGroups: ["apps"] }, "bob GET /apis/apps/v1/deployments", true],
  ["a namespace", anybody(), { namespaces: ["y"], clusterScope: false }, "bob GET /api/v1/namespaces/x/pods", false],
  ["what is in no namespace", anybody(), { namespaces: ["*"], clusterScope: false }, "bob GET /api/v1/pods", false],
];

function anybody(): object {
  return { kind: "Group", group: { name: "system:authenticated" } };
}

for (const [name, subject, rule, request, expected] of rules) {
  test(`a schema ${expected ? "matches" : "does not match"} by ${name}`, () => {
    const everything = { verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] };
    const schema = compileFlowSchema(
      JSON.parse(
        JSON.stringify(
          bootstrapFlowSchema("s", {
            rules: [{ subjects: [subject as never], resourceRules: [{ ...everything, ...rule }] }],
          }),
        ),
      ),
    );
    const [username = "", method = "", path = ""] = request.split(" ");
    const info = resolveRequestInfo(method, path, new URLSearchParams());
    assert.equal(schema.matches({ username, groups: ["system:authenticated"] }, info), expected);
  });
}

test("paths match themselves and those below, and with a star those that it stands for", () => {
  const matches = (wanted: string, path: string): boolean => {
    const rule = {
      subjects: [{ kind: "User", user: { name: "*" } }],
      nonResourceRules: [{ verbs: ["get"], nonResourceURLs: [wanted] }],
    };
    const schema = compileFlowSchema(bootstrapFlowSchema("s", { rules: [rule] }));
    return schema.matches(nobody, resolveRequestInfo("GET", path, new URLSearchParams()));
  };
  assert.ok(matches("/healthz", "/healthz"));
  assert.ok(matches("/healthz", "/healthz/etcd"));
  assert.ok(!matches("/healthz", "/healthzz"));
  assert.ok(matches("/debug/*", "/debug/pprof"));
  assert.ok(matches("*", "/anything"));
});

test("the dumps have the columns and the form of v1.29", () => {
  const test = new TestLevels(1);
  test.configure(queueingLevel("busy", 1, 50, 10_000));
  test.start("a");
  test.start("a", "second", 2);
  assert.equal(
    dumpPriorityLevels(test.levels),
    `PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests
busy,              1,            false,  false,       1,               1,                 1,                  0,                0,                0
catch-all,         0,            true,   false,       0,               0,                 0,                  0,                0,                0
exempt,            0,            true,   false,       0,               0,                 0,                  0,                0,                0
`,
  );
  assert.equal(
    dumpQueues(test.levels),
    `PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, InitialSeatsSum, MaxSeatsSum, TotalWorkSum
busy,              0,      1,               1,                 1,          0.00300000ss,  2,               2,           0.00600000ss
`,
  );
  const lines = dumpRequests(test.levels, true).split("\n");
  assert.match(
    lines[0] ?? "",
    /^PriorityLevelName, FlowSchemaName, .*UserName, +Verb, +APIPath, +Namespace, +Name, +APIVersion, +Resource, +SubResource$/,
  );
  assert.match(
    lines[1] ?? "",
    /^busy, +busy, +0, +0, +, .* 2, +0, +0s, +0001-01-01T00:00:00Z, +a, +list, .* default, +, +v1, +pods, +$/,
  );
  assert.match(lines[2] ?? "", /^busy, +busy, +0, +-1, /);
});
