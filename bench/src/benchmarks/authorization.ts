import type { Benchmark } from "../benchmark.js";
import { reviewBenchmark } from "./review-benchmark.js";

const bindings = 5000;
/** Number of bindings for groups of the user in question. */
const ownBindings = 500;
const namespaces = 100;
const rbacGroup = "rbac.authorization.k8s.io";

/** Measures a review that rules of the size of a large cluster decide. */
export const authorizationBenchmark: Benchmark = reviewBenchmark({
  name: "authorization",
  what: `SubjectAccessReview under ${bindings} bindings, ${ownBindings} of them for the user's groups`,
  program: "gatehouse-authorization",
  path: "/authorize",
  prepare: async () => ({ configuration: rules(), body: reviewJson(), expected: '"allowed":true' }),
});

function rules(): object {
  const role = (index: number) => ({
    apiVersion: `${rbacGroup}/v1`,
    kind: "ClusterRole",
    metadata: { name: `role-${index}` },
    rules: [{ verbs: ["get", "list"], apiGroups: [""], resources: ["pods", `resource-${index}`] }],
  });
  const binding = (index: number) => ({
    apiVersion: `${rbacGroup}/v1`,
    kind: "RoleBinding",
    metadata: { name: `binding-${index}`, namespace: `namespace-${index % namespaces}` },
    roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: `role-${index % 20}` },
    subjects: [{ kind: "Group", name: index < ownBindings ? `team-${index % 10}` : `others-${index}` }],
  });
  return {
    apiVersion: "config.gatehouse.dev/v1alpha1",
    kind: "AuthorizationRules",
    denials: [
      {
        name: "frozen",
        reason: "the freeze ends on Monday",
        groups: ["system:authenticated"],
        verbs: ["delete"],
        apiGroups: ["*"],
        resources: ["*"],
        namespaces: ["namespace-1*"],
      },
    ],
    rbac: [
      ...Array.from({ length: 20 }, (_, index) => role(index)),
      ...Array.from({ length: bindings }, (_, index) => binding(index)),
    ],
  };
}

function reviewJson(): string {
  return JSON.stringify({
    kind: "SubjectAccessReview",
    apiVersion: "authorization.k8s.io/v1",
    metadata: { creationTimestamp: null },
    spec: {
      resourceAttributes: { namespace: "namespace-7", verb: "get", version: "v1", resource: "pods", name: "web" },
      user: "jane",
      groups: [...Array.from({ length: 10 }, (_, index) => `team-${index}`), "system:authenticated"],
    },
    status: { allowed: false },
  });
}
