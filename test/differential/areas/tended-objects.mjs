// Drawn worlds of objects that controllers of kube-controller-manager tend: claims and volumes with protection, pods that nobody
// tends, certificate requests, secrets for tokens, what each namespace is given, and cluster roles that collect others. What the
// controllers make of them is compared after each change. `start-with-life-cycles.mjs --controllers` starts the servers with these:
//   persistentvolumeclaim-protection-controller,persistentvolume-protection-controller,pod-garbage-collector-controller,
//   certificatesigningrequest-signing-controller,serviceaccount-token-controller,serviceaccount-controller,
//   root-ca-certificate-publisher-controller,clusterrole-aggregation-controller
// COUNT is the number of worlds, SEED which, KIND the one that all are about.

import { prepare } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { roleSteps } from "../lib/tended-objects/aggregated-roles.mjs";
import { certificateSteps } from "../lib/tended-objects/certificates.mjs";
import { namespaceSteps } from "../lib/tended-objects/namespaces.mjs";
import { node, podSteps } from "../lib/tended-objects/pods.mjs";
import { makeNode } from "../lib/tended-objects/steps.mjs";
import { storageSteps } from "../lib/tended-objects/storage.mjs";
import { tokenSteps } from "../lib/tended-objects/token-secrets.mjs";

// Most of the time the worlds wait for controllers.
export const parallel = 32;

const families = [
  { name: "storage", weight: 4, draw: storageSteps },
  { name: "certificates", weight: 4, draw: certificateSteps },
  { name: "tokens", weight: 4, draw: tokenSteps },
  { name: "roles", weight: 4, draw: roleSteps },
  { name: "namespaces", weight: 3, draw: namespaceSteps },
  { name: "pods", weight: 1, draw: podSteps },
];

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const { SEED = "1", COUNT = "200", KIND = "" } = process.env;
  const { path, body } = makeNode(node);
  await prepare([left, right], [{ path, body: JSON.parse(body) }]);
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const { name, draw } =
      families.find((family) => family.name === KIND) ?? r.weighted(families, ({ weight }) => weight);
    yield { name: `${SEED}-${i} ${name}`, independent: true, steps: await draw(r, `${name}-${SEED}-${i}`) };
  }
}
