import type { AccessUser, RequestedAccess } from "../access/requested-access.js";
import type { PolicyRule } from "../rbac/policy-rule.js";
import { urlCovers } from "../rbac/rule-match.js";
import type { AbacPolicy } from "./abac-policy.js";

const readingVerbs: ReadonlySet<string> = new Set(["get", "list", "watch"]);
const none: readonly AbacPolicy[] = [];

/** An index of a policy file's lines by user and group. */
export class AbacIndex {
  readonly #policies: readonly AbacPolicy[];
  readonly #ofUser: ReadonlyMap<string, readonly AbacPolicy[]>;
  /** The policies without a user, by group. */
  readonly #ofGroup: ReadonlyMap<string, readonly AbacPolicy[]>;

  constructor(policies: readonly AbacPolicy[]) {
    this.#policies = policies;
    this.#ofUser = byText(policies, ({ user }) => user);
    this.#ofGroup = byText(policies, ({ user, group }) => (user === "" ? group : ""));
  }

  /** Reports whether some line allows the access. */
  allows(user: AccessUser, access: RequestedAccess): boolean {
    return this.find(user, access) !== undefined;
  }

  /** Returns a line that allows the access; undefined if none does. */
  find(user: AccessUser, access: RequestedAccess): AbacPolicy | undefined {
    const allows = (policy: AbacPolicy): boolean => isOf(policy, user) && policyAllows(policy, access);
    const own = (this.#ofUser.get(user.username) ?? none).find(allows);
    if (own !== undefined) {
      return own;
    }
    for (const group of user.groups) {
      const found = (this.#ofGroup.get(group) ?? none).find(allows);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  /** Returns the rules of a user in a namespace, in the order of the lines. */
  rulesFor(user: AccessUser, namespace: string): readonly PolicyRule[] {
    return this.#policies
      .filter((policy) => isOf(policy, user) && (policy.namespace === "*" || policy.namespace === namespace))
      .flatMap(rulesOf);
  }
}

function byText(policies: readonly AbacPolicy[], textOf: (policy: AbacPolicy) => string): Map<string, AbacPolicy[]> {
  const grouped = new Map<string, AbacPolicy[]>();
  for (const policy of policies) {
    const text = textOf(policy);
    const known = grouped.get(text);
    if (known !== undefined) {
      known.push(policy);
    } else if (text !== "") {
      grouped.set(text, [policy]);
    }
  }
  return grouped;
}

function isOf(policy: AbacPolicy, { username, groups }: AccessUser): boolean {
  const speaksOfSomebody = policy.user !== "" || policy.group !== "";
  return (
    speaksOfSomebody &&
    (policy.user === "" || policy.user === username) &&
    (policy.group === "" || groups.includes(policy.group))
  );
}

function policyAllows(policy: AbacPolicy, access: RequestedAccess): boolean {
  if (policy.readonly && !readingVerbs.has(access.verb)) {
    return false;
  }
  return access.isResourceRequest
    ? isOrStar(policy.namespace, access.namespace) &&
        isOrStar(policy.resource, access.resource) &&
        isOrStar(policy.apiGroup, access.group)
    : urlCovers(policy.nonResourcePath, access.path);
}

function isOrStar(pattern: string, value: string): boolean {
  return pattern === "*" || pattern === value;
}

function rulesOf({ readonly, apiGroup, resource, nonResourcePath }: AbacPolicy): readonly PolicyRule[] {
  const verbs = readonly ? [...readingVerbs] : ["*"];
  const none = { verbs, apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  return [
    ...(resource === "" ? [] : [{ ...none, apiGroups: [apiGroup], resources: [resource] }]),
    ...(nonResourcePath === "" ? [] : [{ ...none, nonResourceURLs: [nonResourcePath] }]),
  ];
}
