import type { JsonObject } from "@gatehouse/envelopes/json";

/**
 * A rule in one line: `get,list apps,core: deployments pods [names]`, where `core` is the group without a name; or
 * `get url: /healthz /livez/*`.
 */
export type RuleText = string;

/** A role that is there from the start. */
export interface RoleDefinition {
  readonly name: string;
  /** The namespace; absent for cluster roles. */
  readonly namespace?: string;
  /** The role that it is aggregated to: `admin`, `edit` or `view`. */
  readonly label?: string;
  /** The label under which this role aggregates the rules of others. */
  readonly collects?: string;
  /** Feature gates, all of which must be on. */
  readonly gates?: string;
  readonly rules: readonly (RuleText | GatedRule)[];
}

/** A rule that depends on feature gates. */
export interface GatedRule {
  readonly gates: string;
  readonly rule: RuleText;
}

/** A binding that is there from the start. */
export interface BindingDefinition {
  readonly name: string;
  /** The namespace; absent for cluster role bindings. */
  readonly namespace?: string;
  /** The name of the role, where it differs from that of the binding. */
  readonly role?: string;
  readonly gates?: string;
  /** Subjects: `user:NAME`, `group:NAME` or `account:NAME@NAMESPACE`. */
  readonly subjects: readonly string[];
}

/** Returns a rule that holds when the feature gates are on. */
export function when(gates: string, rule: RuleText): GatedRule {
  return { gates, rule };
}

/** Parses the line of a rule. */
export function ruleOf(text: RuleText): JsonObject {
  const [, verbs = "", groups = "", resources = "", names] = /^(\S+) (\S+): ([^[]*?)(?: \[(.*)\])?$/.exec(text) ?? [];
  if (groups === "url") {
    return { verbs: verbs.split(","), nonResourceURLs: resources.split(" ") };
  }
  return {
    verbs: verbs.split(","),
    apiGroups: groups.split(",").map((group) => (group === "core" ? "" : group)),
    resources: resources.split(" "),
    ...(names === undefined ? {} : { resourceNames: names.split(" ") }),
  };
}

/** Parses the text of a subject. */
export function subjectOf(text: string): JsonObject {
  const colon = text.indexOf(":");
  const name = text.slice(colon + 1);
  switch (text.slice(0, colon)) {
    case "account": {
      const [account = "", namespace = ""] = name.split("@");
      return { kind: "ServiceAccount", name: account, namespace };
    }
    case "group":
      return { kind: "Group", apiGroup: rbacGroup, name };
    default:
      return { kind: "User", apiGroup: rbacGroup, name };
  }
}

/** The API group of roles. */
export const rbacGroup = "rbac.authorization.k8s.io";
