import type { JsonObject } from "@gatehouse/envelopes/json";
import { bindingRows } from "./bindings.js";
import { clusterRoleRows } from "./cluster-roles.js";
import { controllerRoleRows } from "./controller-roles.js";
import { namespaceRoleRows } from "./namespace-roles.js";
import { type BindingRow, type RoleRow, rbacGroup, ruleOf, subjectOf } from "./policy-notation.js";

/** The roles and bindings of v1.29, as objects, in the order in which they are made. */
export interface BootstrapPolicy {
  readonly clusterRoles: readonly JsonObject[];
  readonly clusterRoleBindings: readonly JsonObject[];
  readonly roles: readonly JsonObject[];
  readonly roleBindings: readonly JsonObject[];
}

/** Returns the roles and bindings that exist from the start with these feature gates. */
export function bootstrapPolicy(features: { enabled(name: string): boolean }): BootstrapPolicy {
  const isOn = ({ gates = "" }: { readonly gates?: string }): boolean =>
    gates.split(" ").every((gate) => gate === "" || features.enabled(gate));
  const roleOf = (row: RoleRow): JsonObject => roleObject(row, isOn);
  const clusterRoles = [...clusterRoleRows, ...controllerRoleRows].filter(isOn);
  const bindings = bindingRows.filter(isOn);
  return {
    clusterRoles: clusterRoles.map(roleOf),
    clusterRoleBindings: [
      ...bindings.filter(({ namespace }) => namespace === undefined),
      ...controllerRoleRows.filter(isOn).map(controllerBinding),
    ].map(bindingObject),
    roles: namespaceRoleRows.filter(isOn).map(roleOf),
    roleBindings: bindings.filter(({ namespace }) => namespace !== undefined).map(bindingObject),
  };
}

const aggregatePrefix = "rbac.authorization.k8s.io/aggregate-to-";

function roleObject(row: RoleRow, isOn: (rule: { readonly gates?: string }) => boolean): JsonObject {
  const { namespace, label, collects } = row;
  const rules = row.rules.filter((rule) => typeof rule === "string" || isOn(rule));
  return {
    kind: namespace === undefined ? "ClusterRole" : "Role",
    apiVersion: `${rbacGroup}/v1`,
    metadata: metadata(row, label === undefined ? {} : { [aggregatePrefix + label]: "true" }),
    ...(collects === undefined
      ? { rules: rules.map((rule) => ruleOf(typeof rule === "string" ? rule : rule.rule)) }
      : {
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregatePrefix + collects]: "true" } }] },
          rules: null,
        }),
  };
}

function bindingObject(row: BindingRow): JsonObject {
  const { name, namespace, role = name, subjects } = row;
  return {
    kind: namespace === undefined ? "ClusterRoleBinding" : "RoleBinding",
    apiVersion: `${rbacGroup}/v1`,
    metadata: metadata(row, {}),
    roleRef: { apiGroup: rbacGroup, kind: namespace === undefined ? "ClusterRole" : "Role", name: role },
    ...(subjects.length === 0 ? {} : { subjects: subjects.map(subjectOf) }),
  };
}

const controllerPrefix = "system:controller:";

function controllerBinding({ name }: RoleRow): BindingRow {
  return { name, subjects: [`account:${name.slice(controllerPrefix.length)}@kube-system`] };
}

function metadata(
  { name, namespace }: { readonly name: string; readonly namespace?: string },
  labels: JsonObject,
): JsonObject {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  };
}
