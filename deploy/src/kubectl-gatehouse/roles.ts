import type { JsonObject } from "@gatehouse/envelopes/json";
import type { rbacV1 } from "@gatehouse/envelopes/types";
import {
  type AuditedAccess,
  isPathAccess,
  type SeenAccess,
  type SuggestionOptions,
  suggestAccess,
  unusedAccess,
} from "@gatehouse/policies/access-suggestion";
import { stringify } from "yaml";

/** Content of the YAML. */
export interface RolesOptions {
  readonly seen: SeenAccess;
  /** Source of the events, for people who read the YAML. */
  readonly origin: string;
  /** Name of the roles and bindings. */
  readonly name: string;
  /** A role that the user has now, to be compared with what was seen. */
  readonly present?: { readonly title: string; readonly rules: readonly rbacV1.PolicyRule[] };
  readonly limits: SuggestionOptions;
}

const api = "rbac.authorization.k8s.io";

/**
 * Rules that v1.29 grants to every authenticated user: `system:discovery`, `system:basic-user`,
 * `system:public-info-viewer`.
 */
const grantedToAll: readonly rbacV1.PolicyRule[] = [
  {
    verbs: ["get"],
    nonResourceURLs: [
      ...["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"],
      ...["/healthz", "/livez", "/readyz", "/version", "/version/"],
    ],
  },
  {
    verbs: ["create"],
    apiGroups: ["authorization.k8s.io"],
    resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
  },
  { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
];

/** The roles and bindings as YAML to apply, after comments that say what they are based on. */
export function rolesYaml({ seen, origin, name, present, limits }: RolesOptions): string {
  const suggestion = suggestAccess(seen.allowed, { ...limits, granted: grantedToAll });
  const subjects = [subjectOf(seen.user)];
  const documents: JsonObject[] = [];
  if (suggestion.cluster.length > 0) {
    documents.push(role("ClusterRole", name, undefined, suggestion.cluster));
    documents.push(binding("ClusterRoleBinding", name, undefined, { kind: "ClusterRole", name }, subjects));
  }
  let shared = 0;
  for (const { namespaces, rules } of suggestion.namespaced) {
    const [only = ""] = namespaces;
    if (namespaces.length === 1) {
      documents.push(role("Role", name, only, rules));
      documents.push(binding("RoleBinding", name, only, { kind: "Role", name }, subjects));
      continue;
    }
    // One ClusterRole, bound in each of the namespaces only, in place of as many equal Roles.
    shared++;
    const sharedName = `${name}-shared-${shared}`;
    documents.push(role("ClusterRole", sharedName, undefined, rules));
    for (const namespace of namespaces) {
      documents.push(
        binding("RoleBinding", sharedName, namespace, { kind: "ClusterRole", name: sharedName }, subjects),
      );
    }
  }
  const comments = [
    ...basis(seen, origin),
    ...(suggestion.alreadyGranted.length === 0
      ? []
      : [`Not repeated here, since everybody who is authenticated may do it: ${list(suggestion.alreadyGranted)}.`]),
    ...(seen.denied.length === 0 ? [] : [`Denied when it was tried, and not granted here: ${list(seen.denied)}.`]),
    ...(documents.length === 0 ? ["Nothing was seen that needs a role."] : []),
    ...(present === undefined ? [] : comparison(present, seen.allowed)),
  ];
  return [
    comments.map((line) => `# ${line.replaceAll(unsafe, " ")}\n`).join(""),
    ...documents.map((document) => stringify(document)),
  ].join("---\n");
}

function basis({ user, events, from, to }: SeenAccess, origin: string): string[] {
  const period = from === undefined || to === undefined ? "" : ` from ${from} to ${to}`;
  return [
    `What ${user} was seen doing: ${events} audit events${period}, from ${origin}.`,
    "What happens rarely may be missing; what admission and the rules against escalation ask for is in no audit event.",
  ];
}

function role(kind: string, name: string, namespace: string | undefined, rules: readonly rbacV1.PolicyRule[]) {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  return { apiVersion: `${api}/v1`, kind, metadata, rules: rules as unknown as JsonObject[] };
}

function binding(
  kind: string,
  name: string,
  namespace: string | undefined,
  roleRef: JsonObject,
  subjects: JsonObject[],
): JsonObject {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  return { apiVersion: `${api}/v1`, kind, metadata, roleRef: { apiGroup: api, ...roleRef }, subjects };
}

function subjectOf(user: string): JsonObject {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user);
  return account === null
    ? { apiGroup: api, kind: "User", name: user }
    : { kind: "ServiceAccount", name: account[2], namespace: account[1] };
}

function comparison(present: NonNullable<RolesOptions["present"]>, allowed: readonly AuditedAccess[]): string[] {
  const findings = unusedAccess(present.rules, allowed);
  if (findings.length === 0) {
    return [`All that ${present.title} allows was used.`];
  }
  return [
    `What ${present.title} allows and nobody was seen to use:`,
    ...findings.flatMap(({ rule, unused, used }) =>
      used === undefined
        ? unused.map((each) => `- ${ruleText(each)}`)
        : [`- ${ruleText(rule)}, of which was used: ${used.map(ruleText).join("; ")}`],
    ),
  ];
}

function ruleText({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: rbacV1.PolicyRule) {
  const targets = [
    ...apiGroups.flatMap((group) => resources.map((resource) => inGroup(resource, group))),
    ...nonResourceURLs,
  ];
  const names = resourceNames.length === 0 ? "" : ` named ${resourceNames.join(", ")}`;
  return `${verbs.join(", ")} ${targets.join(", ")}${names}`;
}

/** `deployments.apps/scale`, as kubectl writes it. */
function inGroup(resource: string, group: string): string {
  const [plural = "", ...subresource] = resource.split("/");
  return [group === "" ? plural : `${plural}.${group}`, ...subresource].join("/");
}

const maxListed = 20;
/** Names in audit events are what callers have sent: none may end a comment. */
const unsafe = /[\p{Cc}\u2028\u2029]/gu;

function list(accesses: readonly AuditedAccess[]): string {
  const texts = new Set(
    accesses.map((access) => {
      if (isPathAccess(access)) {
        return `${access.verb} ${access.path}`;
      }
      const place = access.namespace === "" ? "" : ` in ${access.namespace}`;
      return `${access.verb} ${inGroup(access.resource, access.apiGroup)}${place}`;
    }),
  );
  const told = [...texts].sort().slice(0, maxListed);
  return [...told, ...(texts.size > told.length ? [`and ${texts.size - told.length} more`] : [])].join(", ");
}
