// The plugins that are on by default, where other areas have fewer than 300 requests that concern a plugin. Both servers
// run without controllers, with all default plugins and
//   --authorization-mode=RBAC --feature-gates=ClusterTrustBundle=true --runtime-config=api/all=true
//   --token-auth-file=lib/admission-defaults/tokens.csv
import { approvalCases, signingCases, subjectCases } from "../lib/admission-defaults/certificates.mjs";
import { claimCases, resizeCases } from "../lib/admission-defaults/claims.mjs";
import { ingressCases } from "../lib/admission-defaults/ingresses.mjs";
import { namespaceLifecycleCases } from "../lib/admission-defaults/namespace-lifecycle.mjs";
import { nodeCases } from "../lib/admission-defaults/nodes.mjs";
import { trustBundleCases } from "../lib/admission-defaults/trust-bundles.mjs";
import { view } from "../lib/admission-pods/view.mjs";

/** Cases by plugin; each plugin's begin with what they need. Those of certificates share people and requests. */
export const parts = {
  NamespaceLifecycle: namespaceLifecycleCases,
  TaintNodesByCondition: nodeCases,
  "DefaultStorageClass and StorageObjectInUseProtection": claimCases,
  PersistentVolumeClaimResize: resizeCases,
  DefaultIngressClass: ingressCases,
  CertificateApproval: approvalCases,
  CertificateSigning: signingCases,
  CertificateSubjectRestriction: subjectCases,
  ClusterTrustBundleAttest: trustBundleCases,
};

export const parallel = 1;

export async function* cases() {
  yield* sequences();
}

/** Every case, with the requests in their order. Whoever replays them sends those that are quiet, too. */
export function* sequences() {
  for (const [plugin, generate] of Object.entries(parts)) {
    for (const { name, steps } of generate()) {
      yield { name: `${plugin}: ${name}`, steps, independent: true };
    }
  }
}

export { view as comparable };
