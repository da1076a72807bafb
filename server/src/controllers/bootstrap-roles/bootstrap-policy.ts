import type { JsonObject } from "@gatehouse/envelopes/json";
import { bindingDefinitions } from "./bindings.js";
import { clusterRoleDefinitions } from "./cluster-roles.js";
import { controllerRoleDefinitions } from "./controller-roles.js";
import { namespaceRoleDefinitions } from "./namespace-roles.js";
import { type BindingDefinition, type RoleDefinition, rbacGroup, ruleOf, subjectOf } from "./policy-notation.js";

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
  const roleOf = (definition: RoleDefinition): JsonObject => roleObject(definition, isOn);
  const clusterRoles = [...clusterRoleDefinitions, ...controllerRoleDefinitions].filter(isOn);
  const bindings = bindingDefinitions.filter(isOn);
  return {
    clusterRoles: clusterRoles.map(roleOf),
    clusterRoleBindings: [
      ...bindings.filter(({ namespace }) => namespace === undefined),
      ...controllerRoleDefinitions.filter(isOn).map(controllerBinding),
    ].map(bindingObject),
    roles: namespaceRoleDefinitions.filter(isOn).map(roleOf),
    roleBindings: bindings.filter(({ namespace }) => namespace !== undefined).map(bindingObject),
  };
}

const aggregatePrefix = "rbac.authorization.k8s.io/aggregate-to-";

function roleObject(definition: RoleDefinition, isOn: (rule: { readonly gates?: string }) => boolean): JsonObject {
  const { namespace, label, collects } = definition;
  const rules = definition.rules.filter((rule) => typeof rule === "string" || isOn(rule));
  return {
    kind: namespace === undefined ? "ClusterRole" : "Role",
    apiVersion: `${rbacGroup}/v1`,
    metadata: metadata(definition, label === undefined ? {} : { [aggregatePrefix + label]: "true" }),
    ...(collects === undefined
      ? { rules: rules.map((rule) => ruleOf(typeof rule === "string" ? rule : rule.rule)) }
      : {
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregatePrefix + collects]: "true" } }] },
          rules: null,
        }),
  };
}

function bindingObject(definition: BindingDefinition): JsonObject {
  const { name, namespace, role = name, subjects } = definition;
  return {
    kind: namespace === undefined ? "ClusterRoleBinding" : "RoleBinding",
    apiVersion: `${rbacGroup}/v1`,
    metadata: metadata(definition, {}),
    roleRef: { apiGroup: rbacGroup, kind: namespace === undefined ? "ClusterRole" : "Role", name: role },
    ...(subjects.length === 0 ? {} : { subjects: subjects.map(subjectOf) }),
  };
}

const controllerPrefix = "system:controller:";

function controllerBinding({ name }: RoleDefinition): BindingDefinition {
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
