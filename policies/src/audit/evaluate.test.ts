import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { parseQuery } from "../request-info/parse-query.js";
import { resolveRequestInfo } from "../request-info/request-info.js";
import { type AuditAttributes, type AuditedRequest, auditAttributesOf } from "./audit-attributes.js";
import { type AuditVerdict, compileAuditPolicy } from "./compile-audit-policy.js";

const ann = { username: "ann", groups: ["humans", "system:authenticated"] };

function asked(line: string, user: AuditAttributes["user"] = ann): AuditAttributes {
  const [method = "", url = ""] = line.split(" ");
  const [path = "", query = ""] = url.split("?");
  return { user, request: resolveRequestInfo(method, path, parseQuery(query)) };
}

function evaluate(rules: readonly auditV1.PolicyRule[], line: string, user?: AuditAttributes["user"]): AuditVerdict {
  return compileAuditPolicy({ rules: [...rules] }).evaluate(user === undefined ? asked(line) : asked(line, user));
}

const pod = "GET /api/v1/namespaces/default/pods/web";
const log = "GET /api/v1/namespaces/default/pods/web/log";
const role = "GET /apis/rbac.authorization.k8s.io/v1/clusterroles/edit";
const logs = "GET /logs/kubelet.log";
const namespace = "GET /api/v1/namespaces/default";

type Demands = Omit<auditV1.PolicyRule, "level">;
const core = (...resources: string[]): Demands => ({ resources: [{ resources }] });

const matches: readonly (readonly [name: string, demands: Demands, line: string, isMatch: boolean])[] = [
  ["a rule that demands nothing takes a resource", {}, pod, true],
  ["a rule that demands nothing takes a path", {}, logs, true],
  ["empty lists demand nothing", { users: [], userGroups: [], verbs: [], resources: [], namespaces: [] }, logs, true],
  ["the user is one of those named", { users: ["bob", "ann"] }, pod, true],
  ["the user is none of those named", { users: ["bob"] }, pod, false],
  ["the user is in one of the groups", { userGroups: ["robots", "humans"] }, pod, true],
  ["the user is in none of the groups", { userGroups: ["robots"] }, pod, false],
  ["a group is not a user", { users: ["humans"] }, pod, false],
  ["the verb is one of those named", { verbs: ["list", "get"] }, pod, true],
  ["the verb is another", { verbs: ["list"] }, pod, false],
  ["verbs have no wildcard", { verbs: ["*"] }, pod, false],
  ["the verb of a path is its method in lower case", { verbs: ["post"] }, "POST /logs", true],
  ["a resource of the core group", core("pods"), pod, true],
  ["a resource of another name", core("secrets"), pod, false],
  ["a resource of another group", { resources: [{ group: "apps", resources: ["pods"] }] }, pod, false],
  ["all resources of a group", { resources: [{ group: "rbac.authorization.k8s.io" }] }, role, true],
  ["all resources of the core group are not those of others", { resources: [{ group: "" }] }, role, false],
  ["all resources of a group include subresources", { resources: [{}] }, log, true],
  ["* is every resource", core("*"), pod, true],
  ["* is every subresource, too", core("*"), log, true],
  ["pods is not pods/log", core("pods"), log, false],
  ["pods/log is not pods", core("pods/log"), pod, false],
  ["pods/log is pods/log", core("pods/log"), log, true],
  ["pods/* is pods/log", core("pods/*"), log, true],
  ["pods/* is pods, too", core("pods/*"), pod, true],
  ["*/log is pods/log", core("*/log"), log, true],
  ["*/log is not pods", core("*/log"), pod, false],
  ["*/status is not pods/log", core("*/status"), log, false],
  ["*/* is nothing", core("*/*"), log, false],
  ["the object has one of the names", { resources: [{ resources: ["pods"], resourceNames: ["a", "web"] }] }, pod, true],
  ["the object has another name", { resources: [{ resources: ["pods"], resourceNames: ["a"] }] }, pod, false],
  [
    "names go with the resources beside them",
    {
      resources: [
        { resources: ["secrets"], resourceNames: ["web"] },
        { resources: ["pods"], resourceNames: ["a"] },
      ],
    },
    pod,
    false,
  ],
  [
    "a name in one entry does not hold another entry up",
    { resources: [{ resources: ["pods"], resourceNames: ["a"] }, { resources: ["pods"] }] },
    pod,
    true,
  ],
  ["a list has no name", { resources: [{ resources: ["pods"], resourceNames: ["web"] }] }, "GET /api/v1/pods", false],
  [
    "a list of one name has it",
    { resources: [{ resources: ["pods"], resourceNames: ["web"] }] },
    "GET /api/v1/pods?fieldSelector=metadata.name%3Dweb",
    true,
  ],
  ["the namespace is one of those named", { namespaces: ["kube-system", "default"] }, pod, true],
  ["the namespace is another", { namespaces: ["kube-system"] }, pod, false],
  ["the empty namespace is that of cluster-wide resources", { namespaces: [""] }, role, true],
  ["the empty namespace is not that of others", { namespaces: [""] }, pod, false],
  ["a list over all namespaces is in none", { namespaces: [""] }, "GET /api/v1/pods", true],
  ["a namespace is in itself", { namespaces: ["default"] }, namespace, true],
  ["namespaces never take paths", { namespaces: [""] }, logs, false],
  ["resources never take paths", core("*"), logs, false],
  ["a path as it is", { nonResourceURLs: ["/logs/kubelet.log"] }, logs, true],
  ["a path as it begins", { nonResourceURLs: ["/logs*"] }, logs, true],
  ["a path as another begins", { nonResourceURLs: ["/metrics*"] }, logs, false],
  ["a path without * is not a beginning", { nonResourceURLs: ["/logs"] }, logs, false],
  ["* is every path", { nonResourceURLs: ["*"] }, logs, true],
  ["* is no resource", { nonResourceURLs: ["*"] }, pod, false],
  ["the path of a resource is none", { nonResourceURLs: ["/api*"] }, pod, false],
  ["the path of discovery is one", { nonResourceURLs: ["/api*"] }, "GET /api/v1", true],
  [
    "everything demanded at once",
    { ...core("pods"), users: ["ann"], verbs: ["get"], namespaces: ["default"] },
    pod,
    true,
  ],
  ["all but one", { ...core("pods"), users: ["ann"], verbs: ["get"], namespaces: ["other"] }, pod, false],
];

describe("a rule of an audit policy", () => {
  for (const [name, demands, line, isMatch] of matches) {
    test(name, () => {
      assert.equal(evaluate([{ level: "Request", ...demands }], line).level, isMatch ? "Request" : "None");
    });
  }

  test("without a user only rules that demand none match", () => {
    const policy = compileAuditPolicy({
      rules: [
        { level: "Request", users: [""] },
        { level: "Request", userGroups: ["system:unauthenticated"] },
        { level: "Metadata" },
      ],
    });
    assert.equal(policy.evaluate(asked(pod)).rule, 2);
    assert.equal(policy.evaluate({ ...asked(pod), user: undefined }).rule, 2);
  });
});

describe("an audit policy", () => {
  test("the first rule that matches decides", () => {
    const rules: auditV1.PolicyRule[] = [
      { level: "Request", ...core("secrets") },
      { level: "RequestResponse", verbs: ["get"] },
      { level: "Metadata" },
    ];
    assert.deepEqual(
      [pod, "POST /api/v1/namespaces/default/secrets", "PUT /version"].map((line) => evaluate(rules, line).rule),
      [1, 0, 2],
    );
  });

  test("what no rule matches is not recorded, with the stages and managed fields of the policy", () => {
    const policy: auditV1.Policy = {
      rules: [{ level: "Request", verbs: ["create"] }],
      omitStages: ["Panic"],
      omitManagedFields: true,
    };
    assert.deepEqual(compileAuditPolicy(policy).evaluate(asked(pod)), {
      level: "None",
      omitStages: new Set(["Panic"]),
      omitManagedFields: true,
      rule: -1,
    });
  });

  test("stages of policy and rule add up", () => {
    const policy: auditV1.Policy = {
      rules: [{ level: "Metadata", omitStages: ["RequestReceived", "Panic"] }],
      omitStages: ["RequestReceived", "ResponseStarted"],
    };
    assert.deepEqual(
      compileAuditPolicy(policy).evaluate(asked(pod)).omitStages,
      new Set(["RequestReceived", "ResponseStarted", "Panic"]),
    );
  });

  test("a rule overrides whether managed fields are left out, either way", () => {
    for (const [ofPolicy, ofRule, expected] of [
      [undefined, undefined, false],
      [true, undefined, true],
      [true, false, false],
      [false, true, true],
      [undefined, true, true],
    ] as const) {
      const rule = ofRule === undefined ? {} : { omitManagedFields: ofRule };
      const whole = ofPolicy === undefined ? {} : { omitManagedFields: ofPolicy };
      const policy: auditV1.Policy = { rules: [{ level: "Metadata", ...rule }], ...whole };
      assert.equal(compileAuditPolicy(policy).evaluate(asked(pod)).omitManagedFields, expected);
    }
  });

  test("a policy of a thousand rules finds the last", () => {
    const rules: auditV1.PolicyRule[] = Array.from({ length: 1000 }, (_, index) => ({
      level: "Metadata",
      users: [`user-${index}`],
    }));
    assert.equal(evaluate(rules, pod, { username: "user-999", groups: [] }).rule, 999);
    assert.equal(evaluate(rules, pod, { username: "user-1000", groups: [] }).rule, -1);
  });
});

/** Returns a generator of numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words = {
  users: ["ann", "bob", "system:kube-controller-manager", ""],
  groups: ["humans", "robots", "system:authenticated"],
  verbs: ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "post", "put"],
  apiGroups: ["", "apps", "batch"],
  resources: [
    "*",
    "pods",
    "pods/log",
    "pods/*",
    "*/log",
    "*/status",
    "deployments",
    "deployments/status",
    "namespaces",
  ],
  names: ["web", "db", ""],
  namespaces: ["", "default", "kube-system"],
  paths: ["*", "/healthz", "/healthz*", "/logs*", "/api*", "/version"],
};

function arbitraryPolicy(next: (below: number) => number): auditV1.Policy {
  const some = (all: readonly string[], chance: number): string[] =>
    next(chance) === 0 ? all.filter(() => next(3) === 0) : [];
  const rule = (): auditV1.PolicyRule => ({
    level: (["None", "Metadata", "Request", "RequestResponse"] as const)[next(4)] as string,
    users: some(words.users, 3),
    userGroups: some(words.groups, 3),
    verbs: some(words.verbs, 2),
    namespaces: some(words.namespaces, 4),
    nonResourceURLs: some(words.paths, 3),
    resources:
      next(2) === 0
        ? Array.from({ length: next(3) }, () => ({
            group: words.apiGroups[next(3)] as string,
            resources: some(words.resources, 2),
            resourceNames: some(words.names, 3),
          }))
        : [],
  });
  return { rules: Array.from({ length: 1 + next(70) }, rule) };
}

function arbitraryLine(next: (below: number) => number): string {
  const one = (all: readonly string[]): string => all[next(all.length)] as string;
  const method = one(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
  if (next(4) === 0) {
    return `${method} ${one(["/healthz", "/healthz/etcd", "/logs/a", "/api", "/apis/apps", "/version", "/"])}`;
  }
  const base = one(["/api/v1", "/apis/apps/v1", "/apis/batch/v1"]);
  const inNamespace = one([
    "",
    "/namespaces/default",
    "/namespaces/kube-system",
    "/watch",
    "/watch/namespaces/default",
  ]);
  const query = one(["", "", "?watch=1", "?fieldSelector=metadata.name%3Dweb", "?limit=%zz;a"]);
  const rest = one(["", "/web", "/db", "/web/log", "/web/status", "/w%20b"]);
  return `${method} ${base}${inNamespace}/${one(["pods", "deployments", "namespaces"])}${rest}${query}`;
}

/** Evaluates the rules in order, one after the other, as the reference for the lookups. */
function firstMatch(policy: auditV1.Policy, { user, request }: AuditAttributes): number {
  const has = (all: readonly string[] = [], value: string | undefined): boolean =>
    value !== undefined && all.includes(value);
  const populatedAnd = (all: readonly string[] | undefined, accepts: () => boolean): boolean =>
    (all ?? []).length === 0 || accepts();
  return policy.rules.findIndex((rule) => {
    const fitsWho =
      populatedAnd(rule.users, () => has(rule.users, user?.username)) &&
      populatedAnd(rule.userGroups, () => user?.groups.some((group) => has(rule.userGroups, group)) === true) &&
      populatedAnd(rule.verbs, () => has(rule.verbs, request.verb));
    if ((rule.resources ?? []).length > 0 || (rule.namespaces ?? []).length > 0) {
      return (
        fitsWho &&
        request.isResourceRequest &&
        populatedAnd(rule.namespaces, () => has(rule.namespaces, request.namespace)) &&
        ((rule.resources ?? []).length === 0 || (rule.resources ?? []).some((each) => fitsResource(each, request)))
      );
    }
    return fitsWho && populatedAnd(rule.nonResourceURLs, () => fitsPath(rule.nonResourceURLs ?? [], request));
  });
}

function fitsPath(urls: readonly string[], { isResourceRequest, path }: AuditedRequest): boolean {
  return (
    !isResourceRequest &&
    urls.some((url) => url === path || (url.endsWith("*") && path.startsWith(url.replace(/\*+$/, ""))))
  );
}

function fitsResource(entry: auditV1.GroupResources, request: AuditedRequest): boolean {
  const { group, resource, subresource, name } = request;
  const { resources = [], resourceNames = [] } = entry;
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  return (
    entry.group === group &&
    (resources.length === 0 ||
      resources.some(
        (written) =>
          (resourceNames.length === 0 || resourceNames.includes(name)) &&
          (written === whole ||
            written === "*" ||
            (subresource !== "" && written === `*/${subresource}`) ||
            written === `${resource}/*`),
      ))
  );
}

test("generated requests and their events fall to the rule that reading the policy line by line finds", () => {
  const requests = Number(process.env["AUDIT_POLICY_CASES"] ?? 20_000);
  const next = numbers(Number(process.env["AUDIT_POLICY_SEED"] ?? 20221122));
  let policy = arbitraryPolicy(next);
  let compiled = compileAuditPolicy(policy);
  for (let count = 0; count < requests; count++) {
    if (count % 200 === 0) {
      policy = arbitraryPolicy(next);
      compiled = compileAuditPolicy(policy);
    }
    const line = arbitraryLine(next);
    const username = words.users[next(4)] as string;
    const user = username === "" ? undefined : { username, groups: words.groups.filter(() => next(2) === 0) };
    const [method = "", target = ""] = line.split(" ");
    const at = target.indexOf("?");
    const path = decodeURIComponent(at < 0 ? target : target.slice(0, at));
    const request = resolveRequestInfo(method, path, parseQuery(at < 0 ? "" : target.slice(at + 1)));
    const { rule } = compiled.evaluate({ user, request });
    assert.equal(rule, firstMatch(policy, { user, request }), `${line} by ${username}: ${JSON.stringify(policy)}`);
    // What was recorded of it is judged alike, as the sink does.
    const event = { verb: request.verb, requestURI: target, user: user ?? {} };
    assert.equal(compiled.evaluate(auditAttributesOf(event)).rule, rule, `the event of ${line}`);
  }
});
