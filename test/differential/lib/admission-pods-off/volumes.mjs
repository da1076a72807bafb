import { one, tryOut } from "../admission-pods/objects.mjs";
import { view } from "../admission-pods/view.mjs";
import { Random } from "../random.mjs";

/**
 * Returns an answer without the cloud's part, which depends on where a server runs, and without the order of a Go map.
 */
function viewVolume(answer) {
  const { body } = view(answer);
  const terms = body.spec?.nodeAffinity?.required.nodeSelectorTerms ?? [];
  for (const { matchExpressions } of terms) matchExpressions.sort((a, b) => (a.key < b.key ? -1 : 1));
  return body.message === undefined
    ? body
    : { ...body, message: body.message.replace(/(error querying [^:]*:).*/, "$1") };
}

const sources = [
  { hostPath: { path: "/" } },
  { gcePersistentDisk: { pdName: "d" } },
  { gcePersistentDisk: { pdName: "placeholder-for-provisioning" } },
  { azureDisk: { diskName: "d", diskURI: "/subscriptions/x" } },
  { azureDisk: { diskName: "placeholder-for-provisioning", diskURI: "/subscriptions/x" } },
  { vsphereVolume: { volumePath: "p" } },
];
const labels = [
  {},
  { "topology.kubernetes.io/zone": "a", "topology.kubernetes.io/region": "r" },
  { "topology.kubernetes.io/zone": "b__a", "topology.kubernetes.io/region": "r" },
  { "topology.kubernetes.io/zone": "", "topology.kubernetes.io/region": "r" },
  { "failure-domain.beta.kubernetes.io/zone": "a", "failure-domain.beta.kubernetes.io/region": "r" },
  { "topology.kubernetes.io/zone": "a" },
];
const affinity = (key) => ({
  required: {
    nodeSelectorTerms: [
      { matchExpressions: [{ key, operator: "Exists" }] },
      { matchExpressions: [{ key: "x", operator: "Exists" }] },
    ],
  },
});
const affinities = [undefined, undefined, affinity("y"), affinity("topology.kubernetes.io/zone")];

export function* volumeCases() {
  const random = new Random(22);
  for (let index = 0; index < 80; index++) {
    const nodeAffinity = random.pick(affinities);
    const annotations = random.chance(0.6) ? { "pv.kubernetes.io/provisioned-by": "p" } : {};
    const spec = {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      ...random.pick(sources),
      ...(nodeAffinity && { nodeAffinity }),
    };
    yield one(`volume ${index}`, {
      ...tryOut("/api/v1/persistentvolumes", {
        metadata: { name: `adm-v${index}`, labels: random.pick(labels), annotations },
        spec,
      }),
      view: viewVolume,
    });
  }
}
