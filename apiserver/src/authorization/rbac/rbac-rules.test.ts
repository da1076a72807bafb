import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import type { RequestInfo } from "../../request/request-info.js";
import type { AuthorizationDecision } from "../authorizer.js";
import type { NamedObject, ObjectFollower, ObjectSource } from "../object-source.js";
import { rbacAuthorizer } from "./rbac-authorizer.js";
import { RbacRules } from "./rbac-rules.js";

describe("RbacRules of a server that has just started", () => {
  it("decide about the cluster at once, and about a namespace by what is stored of it", async () => {
    const source = new StoredRules();
    source.put("clusterrolebindings", "", "ops", binding("reader", "olga"));
    source.put("rolebindings", "north", "dev", binding("reader", "nina"));
    const rules = await openRules(source);
    assert.equal(rules.indexFor("") instanceof Promise, false);
    assert.equal((await verdict(rules, "olga", "")).decision, "allow");
    assert.equal((await verdict(rules, "olga", "north")).decision, "allow");
    assert.equal((await verdict(rules, "nina", "north")).decision, "allow");
    assert.equal((await verdict(rules, "nina", "south")).decision, "noOpinion");
    assert.equal((await verdict(rules, "nina", "")).decision, "noOpinion");
  });

  it("see what is written between two questions, also while the namespace is being read", async () => {
    const source = new StoredRules();
    source.put("rolebindings", "north", "dev", binding("reader", "nina"));
    const rules = await openRules(source);
    const before = verdict(rules, "nina", "north");
    await Promise.resolve();
    source.delete("rolebindings", "north", "dev");
    source.put("rolebindings", "north", "other", binding("reader", "nora"));
    const [nina, nora] = [verdict(rules, "nina", "north"), verdict(rules, "nora", "north")];
    assert.equal((await before).decision, "allow");
    assert.equal((await nina).decision, "noOpinion");
    assert.equal((await nora).decision, "allow");
    assert.equal(source.reads, 2 * 2, "both namespaced resources, once for the first question and once for the others");
  });

  it("decide by what is followed once everything is known, and forget what was read before", async () => {
    const source = new StoredRules();
    source.put("rolebindings", "north", "dev", binding("reader", "nina"));
    const rules = await openRules(source);
    assert.equal((await verdict(rules, "nina", "north")).decision, "allow");
    source.delete("rolebindings", "north", "dev");
    source.put("rolebindings", "south", "dev", binding("reader", "nina"));
    source.finishReading();
    const index = await rules.ready();
    assert.equal(rules.indexFor("north"), index);
    assert.equal((await verdict(rules, "nina", "north")).decision, "noOpinion");
    assert.equal((await verdict(rules, "nina", "south")).decision, "allow");
    source.tellGone("rolebindings", "south", "dev");
    assert.equal((await verdict(rules, "nina", "south")).decision, "noOpinion");
  });

  it("give no verdict about a namespace that cannot be read, report it, and try again with the next question", async () => {
    const faults: unknown[] = [];
    const source = new StoredRules();
    source.put("rolebindings", "north", "dev", binding("reader", "nina"));
    const rules = await openRules(source, (fault) => faults.push(fault));
    source.failure = new Error("the disk is gone");
    await assert.rejects(verdict(rules, "nina", "north"), /the disk is gone/);
    source.failure = undefined;
    assert.equal((await verdict(rules, "nina", "north")).decision, "allow");
    source.finishReading(new Error("nor can all be read"));
    await new Promise(setImmediate);
    assert.deepEqual(faults.map(String), ["Error: nor can all be read"]);
    const ready = rules.ready();
    source.finishReading();
    const index = await ready;
    assert.equal(rules.indexFor("north"), index);
  });

  it("tell the rules that somebody holds in a namespace, and by which one something was allowed", async () => {
    const source = new StoredRules();
    source.put("rolebindings", "north", "dev", binding("reader", "nina"));
    const authorizer = rbacAuthorizer(await openRules(source));
    assert.deepEqual((await authorizer.rulesFor?.(user("nina"), "north"))?.rules, [
      { verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: [], nonResourceURLs: [] },
    ]);
    const question = { user: user("nina"), info: getPods("north") };
    assert.match(
      authorizer.explain?.(question, await authorizer.authorize(question)) ?? "",
      /^RoleBinding "dev\/north" of ClusterRole "reader" to User "nina": rule /,
    );
  });
});

/** Objects that are stored, and told to followers: those of namespaces only when `finishReading` is called. */
class StoredRules implements ObjectSource {
  reads = 0;
  failure: Error | undefined;
  readonly #objects = new Map<string, JsonObject>();
  readonly #followers = new Map<string, ObjectFollower>();
  readonly #waiting = new Set<(failure?: Error) => void>();

  put(resource: string, namespace: string, name: string, object: JsonObject): void {
    this.#objects.set([resource, namespace, name].join("/"), object);
  }

  delete(resource: string, namespace: string, name: string): void {
    this.#objects.delete([resource, namespace, name].join("/"));
  }

  tellGone(resource: string, namespace: string, name: string): void {
    this.#followers.get(resource)?.gone(namespace, name);
  }

  finishReading(failure?: Error): void {
    for (const finish of this.#waiting) {
      finish(failure);
    }
    this.#waiting.clear();
  }

  follow({ resource }: GroupResource, follower: ObjectFollower): Promise<void> {
    return new Promise((resolve, reject) => {
      const tell = (failure?: Error): void => {
        if (failure !== undefined) {
          reject(failure);
          return;
        }
        for (const [key, object] of this.#objects) {
          const [kind, namespace = "", name = ""] = key.split("/");
          if (kind === resource) {
            follower.present(namespace, name, object);
          }
        }
        this.#followers.set(resource, follower);
        resolve();
      };
      if (resource.startsWith("cluster")) {
        tell();
      } else {
        this.#waiting.add(tell);
      }
    });
  }

  /** Returns the objects as they are at the call, a turn later. */
  async read({ resource }: GroupResource, namespace: string): Promise<readonly NamedObject[]> {
    this.reads++;
    if (this.failure !== undefined) {
      throw this.failure;
    }
    const objects = Array.from(this.#objects, ([key, object]) => ({ path: key.split("/"), object }))
      .filter(({ path }) => path[0] === resource && path[1] === namespace)
      .map(({ path, object }) => ({ name: path[2] ?? "", object }));
    await new Promise(setImmediate);
    return objects;
  }
}

async function openRules(
  source: StoredRules,
  reportFault: (fault: unknown) => void = assert.ifError,
): Promise<RbacRules> {
  source.put("clusterroles", "", "reader", { rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }] });
  const rules = new RbacRules(source, reportFault);
  await rules.open();
  return rules;
}

async function verdict(rules: RbacRules, name: string, namespace: string): Promise<AuthorizationDecision> {
  return rbacAuthorizer(rules).authorize({ user: user(name), info: getPods(namespace) });
}

function user(username: string): { readonly username: string; readonly groups: readonly string[] } {
  return { username, groups: ["system:authenticated"] };
}

function binding(role: string, username: string): JsonObject {
  return { roleRef: { kind: "ClusterRole", name: role }, subjects: [{ kind: "User", name: username }] };
}

function getPods(namespace: string): RequestInfo {
  return {
    isResourceRequest: true,
    path: "",
    verb: "get",
    apiPrefix: "api",
    group: "",
    version: "v1",
    namespace,
    resource: "pods",
    subresource: "",
    name: "a",
    parts: [],
    rest: "",
  };
}
