import type { auditV1 } from "@gatehouse/envelopes/types";
import { type AuditAttributes, compileAuditPolicy } from "@gatehouse/policies/audit";
import type { Benchmark } from "../benchmark.js";
import { interleave } from "../rounds.js";

const requests = 2_000;
const rulesInPolicy = 100;
const groups = ["", "apps", "batch", "rbac.authorization.k8s.io", "networking.k8s.io"];
const resources = ["pods", "secrets", "configmaps", "deployments", "jobs", "roles", "ingresses", "leases", "pods/log"];
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];

/** Measures the gain of looking up the rules of an audit policy over trying one after the other. */
export const auditPolicyBenchmark: Benchmark = {
  name: "audit-policy",
  what: `decide about requests by an audit policy of ${rulesInPolicy} rules`,
  limit: "trying its rules one after the other",
  unit: "events/s",
  async run(environment) {
    const policy = manyRules();
    const { evaluate } = compileAuditPolicy(policy);
    const asked = manyRequests();
    const side = (decide: (attributes: AuditAttributes) => unknown) => async () => {
      let decided = 0;
      const startedAt = performance.now();
      while (performance.now() - startedAt < environment.roundMs / 4) {
        for (const attributes of asked) {
          decide(attributes);
        }
        decided += asked.length;
      }
      return { value: (decided * 1000) / (performance.now() - startedAt) };
    };
    return await interleave(
      environment.rounds,
      side(evaluate),
      side((attributes) => policy.rules.find((rule) => fits(rule, attributes))),
    );
  },
};

/** Rules as policies have them: users, then verbs and resources of groups, at last everything else. */
function manyRules(): auditV1.Policy {
  const pick = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;
  const rules = Array.from({ length: rulesInPolicy - 1 }, (_, index): auditV1.PolicyRule => {
    const common = { level: pick(["None", "Metadata", "Request"], index), verbs: [pick(verbs, index)] };
    return index % 3 === 0
      ? { ...common, users: [`system:node:node-${index}`] }
      : {
          ...common,
          namespaces: index % 2 === 0 ? ["kube-system", "kube-public"] : [],
          resources: [{ group: pick(groups, index), resources: [pick(resources, index), pick(resources, index + 1)] }],
        };
  });
  return { rules: [...rules, { level: "Metadata" }] };
}

function manyRequests(): readonly AuditAttributes[] {
  return Array.from({ length: requests }, (_, index) => {
    const [resource = "", subresource = ""] = (resources[index % resources.length] as string).split("/");
    return {
      user: { username: `user-${index % 50}`, groups: ["developers", "system:authenticated"] },
      request: {
        isResourceRequest: true,
        verb: verbs[index % verbs.length] as string,
        path: "",
        group: groups[index % groups.length] as string,
        resource,
        subresource,
        namespace: index % 4 === 0 ? "kube-system" : "default",
        name: "a",
      },
    };
  });
}

function fits(rule: auditV1.PolicyRule, { user, request }: AuditAttributes): boolean {
  const has = (all: readonly string[] | undefined, value: string): boolean =>
    all === undefined || all.length === 0 || all.includes(value);
  const whole = request.subresource === "" ? request.resource : `${request.resource}/${request.subresource}`;
  return (
    has(rule.users, user?.username ?? "") &&
    has(rule.verbs, request.verb) &&
    has(rule.namespaces, request.namespace) &&
    (rule.resources === undefined ||
      rule.resources.some(({ group = "", resources: names = [] }) => group === request.group && has(names, whole)))
  );
}
