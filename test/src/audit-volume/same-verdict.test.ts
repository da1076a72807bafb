import assert from "node:assert/strict";
import { test } from "node:test";
import type { auditV1 } from "@gatehouse/envelopes";
import {
  type AuditAttributes,
  auditAttributesOf,
  auditLevels,
  compileAuditPolicy,
  parseQuery,
  resolveRequestInfo,
} from "@gatehouse/policies";

/** `npm run soak` asks for a million. */
const verdicts = Number(process.env["AUDIT_VERDICTS"] ?? 20_000);
const seed = Number(process.env["AUDIT_SEED"] ?? 1129);

/** Numbers that look drawn and are the same for the same seed (mulberry32). */
function drawing(from: number): (below: number) => number {
  let state = from >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const draw = drawing(seed);
const oneOf = <T>(items: readonly T[]): T => items[draw(items.length)] as T;
const some = <T>(items: readonly T[]): T[] => items.filter(() => draw(4) === 0);

const users = ["ann", "bob", "system:anonymous", "system:serviceaccount:a:robot"];
const groups = ["humans", "system:masters", "system:authenticated"];
const resources = ["pods", "pods/log", "pods/*", "*/status", "*", "configmaps", "deployments", "deployments/scale"];
const apiGroups = ["", "apps", "example.com"];
const names = ["web", "a%20b", "x", ""];
const paths = ["/healthz", "/logs/a", "/metrics", "/version/", "/api", "/apis/apps", "/%2e%2e/x", "//"];
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const queries = ["", "?watch=true", "?watch=1&timeout=1s", "?fieldSelector=metadata.name%3Dweb", "?limit=5", "?%zz=1"];
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "head", "options"];

function drawnPolicy() {
  const rules = Array.from({ length: 1 + draw(12) }, (): auditV1.PolicyRule => {
    const isPathRule = draw(3) === 0;
    return {
      level: oneOf(auditLevels),
      users: some(users),
      userGroups: some(groups),
      verbs: some(verbs),
      omitStages: some(["RequestReceived", "ResponseStarted"]),
      ...(isPathRule
        ? { nonResourceURLs: some(["/healthz*", "/logs/*", "*", "/metrics"]) }
        : {
            namespaces: some(["default", "kube-system", ""]),
            resources: some(apiGroups).map((group) => {
              const named = some(resources);
              return { group, resources: named, resourceNames: named.length === 0 ? [] : some(["web", "a b", "x"]) };
            }),
          }),
    };
  });
  return compileAuditPolicy({ rules, omitStages: some(["Panic"]) });
}

function drawnTarget(): string {
  if (draw(4) === 0) {
    return `${oneOf(paths)}${oneOf(queries)}`;
  }
  const group = oneOf(apiGroups);
  const root = group === "" ? "/api/v1" : `/apis/${group}/v1`;
  const watch = draw(10) === 0 ? "/watch" : "";
  const namespace = oneOf(["", "/namespaces/default", "/namespaces/kube-system", "/namespaces"]);
  const name = oneOf(names);
  const rest = [
    oneOf(["pods", "deployments", "configmaps", "status"]),
    name,
    name === "" ? "" : oneOf(["", "log", "status"]),
  ];
  return `${root}${watch}${namespace}/${rest.filter((part) => part !== "").join("/")}${oneOf(queries)}`;
}

/** As the server reads a request line. */
function askedOf(method: string, target: string, user: AuditAttributes["user"]): AuditAttributes {
  const [rawPath = "", query = ""] = target.split("?");
  return { user, request: resolveRequestInfo(method, decodeURIComponent(rawPath), parseQuery(query)) };
}

test(`the server and the sink come to the same verdict on ${verdicts} events (seed ${seed})`, () => {
  let policy = drawnPolicy();
  let recorded = 0;
  for (let i = 0; i < verdicts; i++) {
    if (i % 100 === 0) {
      policy = drawnPolicy();
    }
    const method = oneOf(methods);
    const target = drawnTarget();
    const user = draw(10) === 0 ? undefined : { username: oneOf(users), groups: some(groups) };
    const asked = askedOf(method, target, user);
    const event = { verb: asked.request.verb, requestURI: target, user: user ?? {} };
    const verdict = policy.evaluate(asked);
    assert.deepEqual(policy.evaluate(auditAttributesOf(event)), verdict, `${method} ${target}`);
    recorded += verdict.level === "None" ? 0 : 1;
  }
  assert.ok(
    recorded > verdicts / 20 && recorded < (verdicts * 19) / 20,
    `${recorded} recorded: the policies tell little`,
  );
});
