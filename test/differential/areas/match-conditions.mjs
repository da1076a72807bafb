// Webhooks with match conditions drawn at random, four for each of many namespaces, and requests there. What a webhook
// answers tells that it was called (lib/match-conditions/hook.mjs). Both servers are those of start-with-policies.mjs.
import { viewOf } from "../lib/expressions/answers.mjs";
import { Grammar } from "../lib/expressions/grammar.mjs";
import { inPhases, quietly, sizesFrom } from "../lib/expressions/phases.mjs";
import { startHook } from "../lib/match-conditions/hook.mjs";
import { kinds, merged, requestScope, scopeOf } from "../lib/policies/kinds.mjs";
import { drawRequests } from "../lib/policies/requests.mjs";
import { Random } from "../lib/random.mjs";
import { common, servedBy } from "./policies.mjs";

export const parallel = 4;
const group = "/apis/admissionregistration.k8s.io/v1";

/** Time in milliseconds until both servers serve the kinds, and until they know the webhooks. */
const settleMs = 6_000;

/** Cases for a runner of differential areas. `SEED`, `COUNT` (of namespaces) and `REQUESTS` choose others. */
export async function* cases() {
  yield* inPhases(phases(sizesFrom(process.env, { count: 150, requests: 8 }), await startHook()));
}

/** Returns the phases of the area: `count` namespaces, and `requests` in each; `hook` is where the webhooks are. */
export function phases({ seed, count, requests: requestCount }, hook) {
  const subjects = [...subjectsOf(seed, count, requestCount, hook)];
  const shared = common.map((step) => ({ ...quietly("objects before", [step]), served: servedBy(step) }));
  return [
    { cases: shared, settleMs },
    { cases: subjects.map(({ name, before }) => quietly(name, before)) },
    {
      cases: subjects.map(({ name, webhooks }) => ({
        name: `webhooks of ${name}`,
        independent: true,
        steps: webhooks,
      })),
      settleMs,
    },
    {
      cases: subjects.map(({ name, requests }) => ({
        name: `requests of ${name}`,
        independent: true,
        steps: requests,
      })),
    },
  ];
}

/**
 * Yields the namespaces: `before` and `webhooks` to create, and `requests`. `hook`: the URL of the webhooks, and
 * their certificate, which is its own authority.
 */
export function* subjectsOf(seed, count, requestCount, hook) {
  for (let index = 0; index < count; index++) {
    const r = new Random(seed * 400_009 + index);
    const id = `w${index}-x`;
    const kindName = r.pick(Object.keys(kinds));
    const kind = kinds[kindName];
    const webhooks = ["m0", "m1", "v0", r.chance(0.3) ? "deny" : "v1"].map((name) =>
      configurationOf(r, `${name}-${id}`, id, kind, hook),
    );
    yield {
      name: `${kindName} ${index}`,
      before: [{ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: id, labels: { zone: "a" } } } }],
      webhooks: webhooks.map((step) => ({ ...step, view: withoutAddress, exceptHeaders: ["warning"] })),
      requests: drawRequests(r, kind, id, requestCount).map((step) => ({ ...step, view, exceptHeaders: ["warning"] })),
    };
  }
}

/** Validating webhooks are called at the same time: their warnings have any order. */
const ofRequest = viewOf();
const view = (answer) => {
  const seen = ofRequest(answer);
  return { ...seen, warnings: seen.warnings.sort() };
};

/** Returns the view of a configuration without where the webhook is, which differs from run to run. */
function withoutAddress(answer) {
  return JSON.parse(JSON.stringify(ofRequest(answer), (key, value) => (key === "clientConfig" ? undefined : value)));
}

function configurationOf(r, name, namespace, kind, { url, certificatePem }) {
  const type = name.startsWith("m") ? "Mutating" : "Validating";
  const odd = r.pick([0, 0, 0.02]);
  const old = r.chance(0.3) ? scopeOf(kind, "oldObject") : {};
  const scope = merged(scopeOf(kind, "object"), requestScope, old);
  const matchConditions = Array.from({ length: 1 + r.int(3) }, (_, index) => ({
    name: `c${index}`,
    expression: new Grammar(r, scope, odd, r.pick([1, 2, 3])).of("bool"),
  }));
  return {
    method: "POST",
    path: `${group}/${type.toLowerCase()}webhookconfigurations`,
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: `${type}WebhookConfiguration`,
      metadata: { name },
      webhooks: [
        {
          name: `${name}.example.com`,
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          clientConfig: { url: `${url}/${name}`, caBundle: Buffer.from(certificatePem).toString("base64") },
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
          ...(r.chance(0.2) && { objectSelector: { matchLabels: { env: "prod" } } }),
          rules: [
            {
              ...kind.rule,
              operations: r.pick([["*"], ["*"], ["CREATE", "UPDATE"], ["DELETE"]]),
              ...(r.chance(0.2) && { resources: [...kind.rule.resources, "*/scale"] }),
            },
          ],
          failurePolicy: r.pick(["Fail", "Ignore"]),
          ...(type === "Mutating" && r.chance(0.3) && { reinvocationPolicy: "IfNeeded" }),
          matchConditions,
        },
      ],
    },
  };
}
