import type { JsonObject } from "@gatehouse/envelopes/json";
import { bindingSpecOf, policyRulesOf, RbacIndex } from "@gatehouse/policies/rbac";
import { benchNamespace } from "./config-maps.js";
import type { Gatehouse } from "./processes/gatehouse.js";

const group = "rbac.authorization.k8s.io";

/** The user who reads in the benchmarks of roles, and whose groups have a tenth of all bindings. */
export const reader = {
  username: "reader",
  groups: ["team-0", "team-1", "team-2", "team-3", "team-4"],
} as const;

/** Roles and bindings as they are posted, each with its path. */
export type Posts = readonly (readonly [path: string, object: JsonObject])[];

/**
 * `count` bindings, a tenth of them for the groups of the reader: to 500 roles about other things, and the last one to the
 * role that lets the reader get config maps in the namespace of the benchmarks.
 */
export function roleBindings(count: number): Posts {
  const roles = Array.from({ length: 500 }, (_, index) => role(`role-${index}`, [`things${index}`, `parts${index}`]));
  const bindings = Array.from({ length: count - 1 }, (_, index) => {
    const team = index % 10 === 0 ? `team-${(index / 10) % 5}` : `strangers-${index}`;
    return binding(benchNamespace, `binding-${index}`, `role-${index % 500}`, team);
  });
  return [role("get-config-maps", ["configmaps"]), ...roles, ...bindings, last()];
}

/** Namespaces with as many bindings each. */
export function namespacesWithBindings(namespaces: number, each: number): Posts {
  const names = Array.from({ length: namespaces }, (_, index) => `space-${index}`);
  return [
    role("get-config-maps", ["configmaps"]),
    ...names.map((name): Posts[number] => ["/api/v1/namespaces", { metadata: { name } }]),
    ...names.flatMap((name) =>
      Array.from({ length: each }, (_, index) => binding(name, `b-${index}`, "get-config-maps", `${name}-${index}`)),
    ),
  ];
}

/** Posts all of it, some at a time; the roles and namespaces come first and are there when they are used. */
export async function postAll(gatehouse: Gatehouse, posts: Posts): Promise<void> {
  const queue = posts[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const [path, object] of { [Symbol.iterator]: () => queue }) {
      await gatehouse.request("POST", path, JSON.stringify(object));
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

/** Returns the roles and bindings as an index, without a server. */
export function indexOf(posts: Posts): RbacIndex {
  const index = new RbacIndex();
  for (const [path, object] of posts) {
    const { name = "" } = object["metadata"] as { readonly name?: string };
    if (path.endsWith("/clusterroles")) {
      index.setRole("", name, policyRulesOf(object));
    } else if (path.endsWith("/rolebindings")) {
      index.setBinding(bindingSpecOf(object, path.split("/").at(-2) ?? "", name));
    }
  }
  return index;
}

function role(name: string, resources: string[]): Posts[number] {
  const rules = [{ verbs: ["get", "list", "watch"], apiGroups: ["", "apps"], resources }];
  return [`/apis/${group}/v1/clusterroles`, { metadata: { name }, rules }];
}

function binding(namespace: string, name: string, roleName: string, team: string): Posts[number] {
  return [
    `/apis/${group}/v1/namespaces/${namespace}/rolebindings`,
    {
      metadata: { name },
      roleRef: { apiGroup: group, kind: "ClusterRole", name: roleName },
      subjects: [{ kind: "Group", apiGroup: group, name: team }],
    },
  ];
}

function last(): Posts[number] {
  return binding(benchNamespace, "binding-last", "get-config-maps", "team-4");
}
