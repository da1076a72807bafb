// A webhook that changes objects and writes annotations into audit events, for runs of the area `audit-events` against a pair.
import { startHook } from "../match-conditions/hook.mjs";

/** Starts the webhook. Returns requests that register it, as those of fixtures.mjs. */
export async function startAuditHook() {
  const { url, certificatePem } = await startHook();
  const caBundle = Buffer.from(certificatePem).toString("base64");
  const webhook = (name, resources, more) => ({
    name: `${name}.example.com`,
    clientConfig: { url: `${url}/${name}`, caBundle },
    rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...more,
  });
  const configuration = (kind, name, webhooks) => ({
    method: "POST",
    path: `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`,
    body: { metadata: { name }, webhooks },
  });
  return [
    configuration("mutating", "audit-changing", [
      webhook("m1", ["services", "widgets", "widgets/status", "deployments/scale"]),
      webhook("m2", ["services", "secrets"], { reinvocationPolicy: "IfNeeded" }),
      webhook("n3", ["services"]),
    ]),
    configuration("validating", "audit-refusing", [
      webhook("v1", ["services", "secrets", "pods/eviction"]),
      webhook("deny", ["rolebindings"], { matchConditions: [{ name: "a", expression: "request.name.endsWith('7')" }] }),
      webhook("odd", ["roles"], {
        matchConditions: [{ name: "a", expression: "object.none == 1" }],
        failurePolicy: "Ignore",
      }),
    ]),
  ];
}
