import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { auditV1, rbacV1 } from "@gatehouse/envelopes/types";
import { type AuditedAccess, auditedAccess } from "./audited-access.js";
import { ruleAllows } from "./rule-allows.js";
import { AccessObserver } from "./seen-access.js";
import { suggestAccess } from "./suggest-access.js";
import { unusedAccess } from "./unused-access.js";

function eventOf(verb: string, requestURI: string, more: Partial<auditV1.Event> = {}): auditV1.Event {
  return {
    level: "Metadata",
    auditID: "id",
    stage: "ResponseComplete",
    requestURI,
    verb,
    user: { username: "jane" },
    ...more,
  };
}

const access = (verb: string, uri: string): AuditedAccess => auditedAccess(eventOf(verb, uri));

describe("what a request needed", () => {
  const cases: readonly [string, string, AuditedAccess][] = [
    ["get", "/version?x=1", { verb: "get", path: "/version" }],
    ["get", "/apis/apps/v1", { verb: "get", path: "/apis/apps/v1" }],
    ["list", "/api/v1/pods", { verb: "list", apiGroup: "", resource: "pods", namespace: "", name: "" }],
    ["get", "/api/v1/namespaces/a", { verb: "get", apiGroup: "", resource: "namespaces", namespace: "a", name: "a" }],
    [
      "update",
      "/api/v1/namespaces/a/finalize",
      { verb: "update", apiGroup: "", resource: "namespaces/finalize", namespace: "a", name: "a" },
    ],
    [
      "patch",
      "/apis/apps/v1/namespaces/a/deployments/b/scale",
      { verb: "patch", apiGroup: "apps", resource: "deployments/scale", namespace: "a", name: "b" },
    ],
    [
      "watch",
      "/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Db&watch=true",
      { verb: "watch", apiGroup: "", resource: "secrets", namespace: "a", name: "b" },
    ],
    ["watch", "/api/v1/watch/pods", { verb: "watch", apiGroup: "", resource: "pods", namespace: "", name: "" }],
  ];
  for (const [verb, uri, expected] of cases) {
    test(`${verb} ${uri}`, () => assert.deepEqual(access(verb, uri), expected));
  }

  test("the name of a created object, which no rule can ask for, does not count", () => {
    const event = eventOf("create", "/api/v1/namespaces/a/pods", { objectRef: { resource: "pods", name: "p" } });
    assert.deepEqual(auditedAccess(event), {
      verb: "create",
      apiGroup: "",
      resource: "pods",
      namespace: "a",
      name: "",
    });
  });
});

describe("what a user was seen doing", () => {
  test("holds each access once, what was denied apart, and who acted as whom", () => {
    const observer = new AccessObserver("jane");
    const at = (requestReceivedTimestamp: string, more: Partial<auditV1.Event> = {}) => ({
      ...more,
      requestReceivedTimestamp,
    });
    observer.observe(eventOf("list", "/api/v1/pods", at("2026-01-02T00:00:00.000000Z")));
    observer.observe(eventOf("list", "/api/v1/pods", at("2026-01-01T00:00:00.000000Z", { stage: "RequestReceived" })));
    observer.observe(eventOf("list", "/api/v1/nodes", { annotations: { "authorization.k8s.io/decision": "forbid" } }));
    observer.observe(eventOf("list", "/api/v1/events", { user: { username: "joe" } }));
    observer.observe(
      eventOf("list", "/api/v1/secrets", {
        user: { username: "joe" },
        impersonatedUser: { username: "jane", groups: ["dev", "system:authenticated"] },
      }),
    );
    observer.observe(
      eventOf("list", "/api/v1/secrets", { impersonatedUser: { username: "system:serviceaccount:a:robot" } }),
    );
    // What the other one was denied, joe was not: that jane may act as joe was found before.
    observer.observe(
      eventOf("list", "/api/v1/secrets", {
        impersonatedUser: { username: "joe", groups: ["dev"] },
        annotations: { "authorization.k8s.io/decision": "forbid" },
      }),
    );
    const { allowed, denied, events, from, to } = observer.seen();
    const cell = (verb: string, resource: string, namespace = "", name = "") => {
      return { verb, apiGroup: "", resource, namespace, name };
    };
    assert.deepEqual(allowed, [
      cell("list", "pods"),
      cell("list", "secrets"),
      cell("impersonate", "serviceaccounts", "a", "robot"),
      cell("impersonate", "users", "", "joe"),
      cell("impersonate", "groups", "", "dev"),
    ]);
    assert.deepEqual(denied, [cell("list", "nodes")]);
    assert.deepEqual(
      { events, from, to },
      { events: 6, from: "2026-01-01T00:00:00.000000Z", to: "2026-01-02T00:00:00.000000Z" },
    );
  });
});

describe("the smallest roles", () => {
  test("group verbs and resources, name objects when they are few, and bind in namespaces", () => {
    const suggestion = suggestAccess(
      [
        access("get", "/api/v1/namespaces/a/pods/one"),
        access("list", "/api/v1/namespaces/a/pods"),
        access("list", "/api/v1/namespaces/a/services"),
        access("patch", "/api/v1/namespaces/a/configmaps/x"),
        access("get", "/api/v1/namespaces/a/configmaps/x"),
        access("create", "/apis/apps/v1/namespaces/b/deployments"),
        access("create", "/apis/apps/v1/namespaces/c/deployments"),
        access("list", "/api/v1/nodes"),
        access("get", "/metrics"),
        access("get", "/version"),
      ],
      { granted: [{ verbs: ["get"], nonResourceURLs: ["/version"] }] },
    );
    const apps = [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["create"] }];
    assert.deepEqual(suggestion, {
      cluster: [
        { apiGroups: [""], resources: ["nodes"], verbs: ["list"] },
        { nonResourceURLs: ["/metrics"], verbs: ["get"] },
      ],
      namespaced: [
        {
          namespaces: ["a"],
          rules: [
            { apiGroups: [""], resources: ["configmaps"], resourceNames: ["x"], verbs: ["get", "patch"] },
            { apiGroups: [""], resources: ["pods", "services"], verbs: ["list"] },
            { apiGroups: [""], resources: ["pods"], resourceNames: ["one"], verbs: ["get"] },
          ],
        },
        { namespaces: ["b", "c"], rules: apps },
      ],
      alreadyGranted: [{ verb: "get", path: "/version" }],
    });
  });

  test("leave out names and namespaces where they are too many, and what the cluster allows already", () => {
    const many = Array.from({ length: 4 }, (_, index) => access("get", `/api/v1/namespaces/a/secrets/s${index}`));
    const spread = ["a", "b", "c"].map((namespace) => access("list", `/api/v1/namespaces/${namespace}/pods`));
    const paths = ["x", "y", "z"].map((name) => access("get", `/debug/${name}`));
    const suggestion = suggestAccess([...many, ...spread, ...paths], { maxNames: 3, maxNamespaces: 2, maxPaths: 2 });
    assert.deepEqual(suggestion.cluster, [
      { apiGroups: [""], resources: ["pods"], verbs: ["list"] },
      { nonResourceURLs: ["/debug/*"], verbs: ["get"] },
    ]);
    assert.deepEqual(suggestion.namespaced, [
      { namespaces: ["a"], rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }] },
    ]);
  });

  test("cover what was seen, and nothing else that some hundred users might do", () => {
    let seed = 7;
    const pick = <T>(values: readonly T[]): T => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return values[Math.floor((seed / 2 ** 31) * values.length)] as T;
    };
    const random = (): AuditedAccess => ({
      verb: pick(["get", "update", "list"]),
      apiGroup: pick(["", "apps"]),
      resource: pick(["pods", "pods/log", "deployments"]),
      namespace: pick(["", "a", "b", "c"]),
      name: pick(["", "n", "m"]),
    });
    for (let round = 0; round < 300; round++) {
      const seen = Array.from({ length: pick([1, 3, 8, 15]) }, random);
      const { cluster, namespaced } = suggestAccess(seen);
      const allows = (wanted: AuditedAccess) =>
        cluster.some((rule) => ruleAllows(rule, wanted)) ||
        namespaced.some(
          ({ namespaces, rules }) =>
            "namespace" in wanted &&
            namespaces.includes(wanted.namespace) &&
            rules.some((rule) => ruleAllows(rule, wanted)),
        );
      for (const one of seen) {
        assert.ok(allows(one), JSON.stringify(one));
      }
      const other = random();
      const isSeen = seen.some(
        (one) =>
          "namespace" in one &&
          "namespace" in other &&
          one.verb === other.verb &&
          one.apiGroup === other.apiGroup &&
          one.resource === other.resource &&
          (one.namespace === "" || one.namespace === other.namespace) &&
          (one.name === "" || one.name === other.name),
      );
      assert.equal(allows(other), isSeen, JSON.stringify({ seen, other }));
    }
  });
});

describe("what a present role allows but nobody has used", () => {
  test("is told rule by rule", () => {
    const rules: rbacV1.PolicyRule[] = [
      { apiGroups: [""], resources: ["pods", "pods/log"], verbs: ["get", "list"] },
      { apiGroups: [""], resources: ["configmaps"], resourceNames: ["a", "b"], verbs: ["get"] },
      { apiGroups: ["apps"], resources: ["*"], verbs: ["*"] },
      { apiGroups: ["batch"], resources: ["jobs"], verbs: ["create"] },
      { nonResourceURLs: ["/metrics"], verbs: ["get"] },
    ];
    const seen = [
      access("get", "/api/v1/namespaces/a/pods/p"),
      access("list", "/api/v1/namespaces/a/pods"),
      access("get", "/api/v1/namespaces/a/configmaps/a"),
      access("list", "/apis/apps/v1/deployments"),
      access("get", "/metrics"),
    ];
    assert.deepEqual(unusedAccess(rules, seen), [
      { rule: rules[0], unused: [{ apiGroups: [""], resources: ["pods/log"], verbs: ["get", "list"] }] },
      {
        rule: rules[1],
        unused: [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["b"], verbs: ["get"] }],
      },
      { rule: rules[2], unused: [], used: [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"] }] },
      { rule: rules[3], unused: [rules[3]] },
    ]);
  });
});
