import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { roleAggregation } from "./role-aggregation.js";

const clusterRoles = { group: "rbac.authorization.k8s.io", resource: "clusterroles" };
const rule = (resource: string) => ({ verbs: ["get"], apiGroups: [""], resources: [resource] });

function role(name: string, rules: JsonValue[], more: { labels?: Record<string, string>; collects?: string } = {}) {
  const { labels, collects } = more;
  return {
    kind: "ClusterRole",
    apiVersion: "rbac.authorization.k8s.io/v1",
    metadata: { name, ...(labels && { labels }) },
    ...(collects && { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: collects } }] } }),
    rules,
  };
}

function startAggregation({ client, errors, start }: TestControlPlane): void {
  start(roleAggregation({ client, onError: (error) => errors.push(error) }));
}

async function rulesOf({ client }: TestControlPlane, name: string): Promise<readonly JsonValue[]> {
  return listAt((await client.get(clusterRoles, "", name)) ?? {}, "rules");
}

async function versionOf({ client }: TestControlPlane, name: string): Promise<string> {
  return textAt((await client.get(clusterRoles, "", name)) ?? {}, "metadata", "resourceVersion");
}

describe("A cluster role that collects the rules of others", () => {
  test("gets these by server-side apply, in the place of its own, and loses them with the others", async () => {
    await using plane = await openTestControlPlane();
    await plane.make(clusterRoles, role("all", [rule("secrets")], { collects: "all" }));
    await plane.make(clusterRoles, role("b", [rule("pods"), rule("nodes")], { labels: { to: "all" } }));
    await plane.make(clusterRoles, role("a", [rule("services"), rule("pods")], { labels: { to: "all" } }));
    startAggregation(plane);
    const collected = [rule("services"), rule("pods"), rule("nodes")];
    await eventually(async () => assert.deepEqual(await rulesOf(plane, "all"), collected));
    const appliers = listAt((await plane.client.get(clusterRoles, "", "all")) ?? {}, "metadata", "managedFields")
      .filter((entry) => textAt(entry, "operation") === "Apply")
      .map((entry) => textAt(entry, "manager"));
    assert.deepEqual(appliers, ["clusterrole-aggregation-controller"]);
    await plane.client.delete(clusterRoles, "", "a");
    await plane.client.delete(clusterRoles, "", "b");
    await eventually(async () => assert.deepEqual(await rulesOf(plane, "all"), []));
    assert.deepEqual(plane.errors, []);
  });

  test("keeps rules that somebody has written as long as it collects none", async () => {
    await using plane = await openTestControlPlane();
    await plane.make(clusterRoles, role("empty", [rule("secrets")], { collects: "empty" }));
    await plane.make(clusterRoles, role("other", [], { collects: "other" }));
    startAggregation(plane);
    await plane.make(clusterRoles, role("a", [rule("pods")], { labels: { to: "other" } }));
    await eventually(async () => assert.deepEqual(await rulesOf(plane, "other"), [rule("pods")]));
    assert.deepEqual(await rulesOf(plane, "empty"), [rule("secrets")]);
    assert.deepEqual(plane.errors, []);
  });

  test("gets what others select that collect it, and is not written again and again", async () => {
    await using plane = await openTestControlPlane();
    const [a, b, c] = [rule("a"), rule("b"), rule("c")];
    // Each holds the rules in another order, which it would hand on to the next.
    await plane.make(clusterRoles, role("one", [a, b, c], { labels: { to: "three" }, collects: "one" }));
    await plane.make(clusterRoles, role("two", [b, c, a], { labels: { to: "one" }, collects: "two" }));
    await plane.make(clusterRoles, role("three", [c, a, b], { labels: { to: "two" }, collects: "three" }));
    await plane.make(clusterRoles, role("source", [a, b], { labels: { to: "two" } }));
    startAggregation(plane);
    const settled = async (): Promise<void> => {
      for (const name of ["one", "two", "three"]) {
        assert.deepEqual(await rulesOf(plane, name), [a, b]);
      }
    };
    await eventually(settled);
    const versions = (): Promise<readonly string[]> =>
      Promise.all(["one", "two", "three"].map((name) => versionOf(plane, name)));
    const before = await versions();
    await plane.make(clusterRoles, role("other", [c], { labels: { to: "nobody" } }));
    await plane.client.catchUp();
    assert.deepEqual(await versions(), before);
    await settled();
    assert.deepEqual(plane.errors, []);
  });
});
