import { Random } from "../random.mjs";
import { inNamespace, merge, namespace, one, pod, post, quiet, tryOut } from "./objects.mjs";

const ns = "adm-accounts";
const pods = inNamespace(ns, "pods");
const enforced = (value) => ({ annotations: { "kubernetes.io/enforce-mountable-secrets": value } });
const listed = { secrets: [{ name: "s1" }, { name: "s3" }], imagePullSecrets: [{ name: "p1" }] };
const accounts = {
  noauto: { automountServiceAccountToken: false },
  auto: { automountServiceAccountToken: true },
  pulling: { imagePullSecrets: [{ name: "p1" }, { name: "p2" }] },
  strict: { metadata: enforced("true"), ...listed },
  "strict-t": { metadata: enforced("T"), ...listed },
  loose: { metadata: enforced("yes"), ...listed },
  noauto2: { automountServiceAccountToken: false, metadata: enforced("1"), ...listed },
};
const names = [...Object.keys(accounts), "default", "missing", undefined];
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const secretVolumes = [
  { secret: { secretName: "s1" } },
  { secret: { secretName: "s2" } },
  { projected: { sources: [{ secret: { name: "s2" } }] } },
  { projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
  { projected: { sources: [{ configMap: { name: "m" } }] } },
  { azureFile: { shareName: "a", secretName: "s2" } },
  { cephfs: { monitors: ["m"], secretRef: { name: "s2" } } },
  { cinder: { volumeID: "v", secretRef: { name: "s2" } } },
  { flexVolume: { driver: "d/d", secretRef: { name: "s2" } } },
  { rbd: { monitors: ["m"], image: "i", secretRef: { name: "s2" } } },
  { scaleIO: { gateway: "g", system: "s", secretRef: { name: "s2" }, volumeName: "v" } },
  { iscsi: { targetPortal: "1.2.3.4:1", iqn: "iqn.2001-04.com.example:x", lun: 0, secretRef: { name: "s2" } } },
  { storageos: { volumeName: "v", secretRef: { name: "s2" } } },
  { csi: { driver: "d.d", nodePublishSecretRef: { name: "s2" } } },
  { emptyDir: {} },
];

function env(random) {
  return random.some(
    [
      { name: "A", value: "x" },
      { name: "B", valueFrom: { secretKeyRef: { name: "s1", key: "k" } } },
      { name: "C", valueFrom: { secretKeyRef: { name: "s2", key: "k" } } },
      { name: "D", valueFrom: { configMapKeyRef: { name: "s2", key: "k" } } },
    ],
    0.15,
  );
}

function container(random, name) {
  const volumeMounts = random.some(
    [
      { name: "v0", mountPath: "/x" },
      { name: "v0", mountPath: tokenPath },
    ],
    0.15,
  );
  return { name, image: "i", env: env(random), ...(volumeMounts.length > 0 ? { volumeMounts } : {}) };
}

function randomPod(random, index) {
  const volumes = [{ name: "v0", emptyDir: {} }];
  if (random.chance(0.4)) volumes.push({ name: "v1", ...random.pick(secretVolumes) });
  if (random.chance(0.1)) volumes.push({ name: "kube-api-access-own", emptyDir: {} });
  const spec = { volumes, containers: [container(random, "a")] };
  if (random.chance(0.4)) spec.containers.push(container(random, "b"));
  if (random.chance(0.4)) spec.initContainers = [container(random, "i")];
  const account = random.pick(names);
  if (account !== undefined) spec[random.chance(0.2) ? "serviceAccount" : "serviceAccountName"] = account;
  if (random.chance(0.3)) spec.automountServiceAccountToken = random.chance(0.5);
  if (random.chance(0.2)) spec.imagePullSecrets = random.some([{ name: "p1" }, { name: "p2" }], 0.7);
  const metadata = random.chance(0.1) ? { annotations: { "kubernetes.io/config.mirror": "x" } } : {};
  if (metadata.annotations !== undefined && random.chance(0.6)) {
    delete spec.serviceAccount;
    delete spec.serviceAccountName;
  }
  if (random.chance(0.1)) return pod(undefined, spec, { ...metadata, generateName: "gen-" });
  return pod(`p${index}`, spec, metadata);
}

const debug = (name, spec) => ({ spec: { ephemeralContainers: [{ name, image: "i", ...spec }] } });

export function* serviceAccountCases() {
  yield one(
    "accounts",
    namespace(ns),
    ...Object.entries(accounts).map(([name, { metadata, ...rest }]) =>
      quiet(post(inNamespace(ns, "serviceaccounts"), { metadata: { name, ...metadata }, ...rest })),
    ),
  );
  const random = new Random(11);
  for (let index = 0; index < 300; index++) {
    yield one(`account ${index}`, tryOut(pods, randomPod(random, index)));
  }
  for (const account of ["strict", "loose", "default"]) {
    const path = `${pods}/eph-${account}`;
    const secret = (name) => ({ env: [{ name: "E", valueFrom: { secretKeyRef: { name, key: "k" } } }] });
    yield one(
      `ephemeral ${account}`,
      quiet(post(pods, pod(`eph-${account}`, { serviceAccountName: account }))),
      merge(`${path}/ephemeralcontainers`, debug("e1", secret("s1"))),
      merge(`${path}/ephemeralcontainers?dryRun=All`, debug("e2", secret("s2"))),
    );
  }
}
