import type { JsonObject } from "@gatehouse/envelopes";

/**
 * A rule in one line: `get,list apps,core: deployments pods [names]`, where `core` is the group without a name; or
 * `get url: /healthz /livez/*`.
 */
export type RuleText = string;

/** A role that is there from the start. */
export interface RoleRow {
  readonly name: string;
  /** Absent for roles of the whole cluster. */
  readonly namespace?: string;
  /** Into which role it is collected: `admin`, `edit` or `view`. */
  readonly label?: string;
  /** It has the rules of all roles that are to be collected under this name. */
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
export interface BindingRow {
  readonly name: string;
  /** Absent for the whole cluster. */
  readonly namespace?: string;
  /** The role, where its name is another than that of the binding. */
  readonly role?: string;
  readonly gates?: string;
  /** `user:NAME`, `group:NAME` or `account:NAME@NAMESPACE`. */
  readonly subjects: readonly string[];
}

/** A rule that holds when the feature gates are on. */
export function when(gates: string, rule: RuleText): GatedRule {
  return { gates, rule };
}

/** The rule that a line says. */
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

/** The subject that a text says. */
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
