// ValidatingAdmissionPolicies, written by hand and drawn at random, each with a namespace of its own in which objects are
// created, changed and deleted; at last the statuses of the policies. Compared are whole answers, warnings, and the
// annotations of audit events. Both servers are those of start-with-policies.mjs; AUDIT_LOGS names their logs.
import { viewOf } from "../lib/expressions/answers.mjs";
import { inPhases, quietly, sizesFrom } from "../lib/expressions/phases.mjs";
import { byHand } from "../lib/policies/by-hand.mjs";
import { drawPolicy } from "../lib/policies/drawn.mjs";
import { definitions, kinds } from "../lib/policies/kinds.mjs";
import { drawRequests } from "../lib/policies/requests.mjs";
import { Random } from "../lib/random.mjs";

export const parallel = 4;
const group = "/apis/admissionregistration.k8s.io/v1beta1";
const policies = `${group}/validatingadmissionpolicies`;

/** Time in milliseconds after which v1.29 knows new kinds, and after which it knows new policies. */
const kindsSettleMs = 40_000;
const policiesSettleMs = 8_000;

/** Cases for a runner of differential areas. `SEED`, `COUNT` (of drawn policies) and `REQUESTS` choose others. */
export async function* cases() {
  yield* inPhases(phases(sizesFrom(process.env, { count: 150, requests: 15 })));
}

/** Returns the phases of the area: `count` drawn policies beside those by hand, and `requests` for each. */
export function phases({ seed, count, requests: requestCount }) {
  const subjects = [...subjectsOf(seed, count, requestCount)];
  const kindCases = common.map((step) => ({ ...quietly("objects before", [step]), served: servedBy(step) }));
  return [
    { cases: kindCases, settleMs: kindsSettleMs },
    { cases: subjects.map(({ name, before }) => quietly(name, before)) },
    {
      cases: subjects.map(({ name, policy }) => ({ name: `policy of ${name}`, independent: true, steps: policy })),
      settleMs: policiesSettleMs,
    },
    {
      cases: subjects.map(({ name, requests }) => ({
        name: `requests of ${name}`,
        independent: true,
        steps: requests,
      })),
    },
    { cases: subjects.map(({ name, status }) => ({ name: `status of ${name}`, steps: [status] })) },
  ];
}

/** Returns the path of the kind that a request defines; undefined if it defines none. */
export const servedBy = ({ body: { kind, spec } }) =>
  kind === "CustomResourceDefinition" ? `/apis/${spec.group}/v1/${spec.names.plural}` : undefined;

const post = (path, body) => ({ method: "POST", path, body });

/** Requests for the objects that all policies share. */
export const common = [
  ...definitions.map((body) => post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body)),
  post("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
    metadata: { name: "jane" },
    rules: [
      {
        apiGroups: ["", "apps", "batch", "policies.example.com"],
        resources: ["*"],
        verbs: ["create", "update", "patch", "delete", "get"],
      },
      { nonResourceURLs: ["/metrics"], verbs: ["get"] },
    ],
  }),
  post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "jane" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "jane" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
  }),
];

/** Parameters without a namespace, which are created when their kind is served. */
const limits = [
  { metadata: { name: "small", labels: { param: "yes" } }, max: 2, text: "prod", ratio: 0.5, allowed: ["a", "b"] },
  { metadata: { name: "big", labels: { param: "yes", size: "big", other: "yes" } }, max: 5, ratio: 2, allowed: ["c"] },
].map((limit) =>
  post("/apis/policies.example.com/v1/limits", { apiVersion: "policies.example.com/v1", kind: "Limit", ...limit }),
);

/** Yields the policies with their requests: `before` and `policy` to create, `requests`, and `status` to read. */
export function* subjectsOf(seed, count, requestCount) {
  const drawn = Array.from({ length: count }, (_, index) => drawPolicy(new Random(seed * 100_003 + index), index));
  for (const [index, made] of [...byHand, ...drawn].entries()) {
    yield subjectOf(made, new Random(seed * 200_003 + index), `p${index}-x`, index === 0 ? limits : [], requestCount);
  }
}

function subjectOf({ name, kind: kindName, spec, bindings = [{}], before = [], several }, r, id, shared, requestCount) {
  const kind = kinds[kindName];
  const view = viewOf({ several });
  const compared = (step) => ({ ...step, view, exceptHeaders: ["warning"] });
  const path = (object) => kinds[object.kind === "ConfigMap" ? "configMap" : "gadget"].collection.replace("{ns}", id);
  return {
    name: `${kindName} ${name}`,
    before: [
      ...shared,
      post("/api/v1/namespaces", { metadata: { name: id, labels: { zone: r.pick(["a", "abc"]) } } }),
      ...before.map((object) => post(path(object), object)),
    ],
    policy: [
      post(policies, policyOf(id, kind, spec)),
      ...bindings.map((binding, index) =>
        post(`${policies.replace(/ies$/, "ybindings")}`, bindingOf(id, index, binding)),
      ),
    ].map(compared),
    requests: drawRequests(r, kind, id, requestCount).map(compared),
    status: { method: "GET", path: `${policies}/${id}`, view: statusOf, until: isChecked },
  };
}

function policyOf(id, kind, { matchConstraints = {}, ...spec }) {
  return {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: id },
    spec: {
      ...spec,
      matchConstraints: {
        resourceRules: [{ ...kind.rule, operations: ["CREATE", "UPDATE", "DELETE"] }],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": id } },
        ...matchConstraints,
      },
    },
  };
}

function bindingOf(id, index, spec) {
  return {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: `${id}-${index}` },
    spec: { policyName: id, validationActions: ["Deny"], ...spec },
  };
}

/** Reports whether the type checker has looked at a policy, or there is none. */
const isChecked = ({ status }) => status === "Failure" || status.observedGeneration !== undefined;

/** Returns what the type checker says of a policy, without the numbers that it gives to types, and who owns the status. */
function statusOf({ body }) {
  const text = body.toString().replaceAll(/(?<=[( ][A-Z][A-Za-z]+)\d+(?=[.,)])/g, "N");
  const { status = "none", metadata = {} } = JSON.parse(text);
  const { managedFields = [] } = metadata;
  const owners = managedFields.filter(({ subresource }) => subresource === "status");
  return { status, owners: owners.map(({ time: _, ...owner }) => owner) };
}
