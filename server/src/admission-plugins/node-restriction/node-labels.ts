/** Labels of their own node that kubelets set. */
const kubeletLabels: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);
const kubeletDomains = ["kubelet.kubernetes.io", "node.kubernetes.io"];
/** The domain of labels that steer workloads to trusted nodes; kubelets may not set them. */
const restrictedDomain = "node-restriction.kubernetes.io";
const systemDomains = ["kubernetes.io", "k8s.io"];

type Labels = Readonly<Record<string, string>>;

/** Returns the labels that were added, changed or removed and that a kubelet must not change, sorted. */
export function forbiddenLabels(labels: Labels, old: Labels): readonly string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(old)]);
  return [...keys].filter((key) => labels[key] !== old[key] && isForbidden(key)).sort();
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf("/");
  const domain = slash < 0 ? "" : key.slice(0, slash);
  const isIn = (parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);
  const isKubelets = kubeletLabels.has(key) || kubeletDomains.some(isIn);
  return isIn(restrictedDomain) || (systemDomains.some(isIn) && !isKubelets);
}
