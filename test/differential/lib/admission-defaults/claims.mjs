import { inNamespace, merge, namespace, one, post, quiet, send, tryOut } from "../admission-pods/objects.mjs";
import { settle } from "../admission-steps.mjs";
import { Random } from "../random.mjs";

const ns = "adm-claims";
const claims = inNamespace(ns, "persistentvolumeclaims");
const classes = "/apis/storage.k8s.io/v1/storageclasses";
const stable = "storageclass.kubernetes.io/is-default-class";
const beta = "storageclass.beta.kubernetes.io/is-default-class";
const classOfClaim = "volume.beta.kubernetes.io/storage-class";

/** Annotations of the classes, in the order in which they are made. */
const settings = [
  {},
  { only: { [stable]: "true" } },
  { only: { [beta]: "true" }, plain: { [stable]: "false" } },
  { b: { [stable]: "true" }, a: { [stable]: "true", [beta]: "false" } },
];
const finalizers = ["kubernetes.io/pvc-protection", "kubernetes.io/pv-protection", "a.b/c", "a.b/d"];

function metadataOf(random, name) {
  const metadata = random.chance(0.1) ? { generateName: "gen-" } : { name };
  if (random.chance(0.4)) metadata.finalizers = random.some(finalizers, 0.4);
  return metadata;
}

function randomClaim(random, index) {
  const metadata = metadataOf(random, `c${index}`);
  if (random.chance(0.25)) metadata.annotations = { [classOfClaim]: random.pick(["adm-only", "missing", ""]) };
  const storage = random.pick(["1Gi", "1G", "100M"]);
  const spec = {
    accessModes: random.some(["ReadWriteOnce", "ReadOnlyMany"], 0.8),
    resources: { requests: { storage } },
  };
  if (random.chance(0.35)) spec.storageClassName = random.pick(["adm-only", "missing", "", null]);
  if (random.chance(0.15)) spec.volumeName = "v";
  if (random.chance(0.2)) spec.volumeMode = random.pick(["Block", "Filesystem"]);
  if (random.chance(0.15)) spec.selector = { matchLabels: { a: "b" } };
  if (random.chance(0.15)) spec.dataSource = { kind: "PersistentVolumeClaim", name: "other" };
  return { metadata, spec };
}

/** DefaultStorageClass and StorageObjectInUseProtection look at the same writes. */
export function* claimCases() {
  const random = new Random(33);
  yield one("claims", namespace(ns));
  for (const [index, annotated] of settings.entries()) {
    const made = Object.entries(annotated).map(([name, annotations]) =>
      quiet(post(classes, { metadata: { name: `adm-${name}`, annotations }, provisioner: "a.b/c" })),
    );
    yield one(`storage classes ${index}`, ...made, settle);
    for (let at = 0; at < 75; at++) yield one(`claim ${index} ${at}`, tryOut(claims, randomClaim(random, at)));
    const gone = Object.keys(annotated).map((name) => quiet(send("DELETE", `${classes}/adm-${name}`)));
    yield one(`no storage classes ${index}`, ...gone, settle);
  }
  for (let index = 0; index < 60; index++) {
    const spec = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } };
    yield one(
      `volume ${index}`,
      tryOut("/api/v1/persistentvolumes", { metadata: metadataOf(random, `adm-v${index}`), spec }),
    );
  }
}

const growing = { grows: true, fixed: false, silent: undefined };
const sizes = ["1Gi", "2Gi", "2048Mi", "2147483648", "2147483649", "3Gi", "1e12", "2G"];

export function* resizeCases() {
  const random = new Random(34);
  yield one(
    "classes of growing claims",
    ...Object.entries(growing).map(([name, allowVolumeExpansion]) =>
      quiet(post(classes, { metadata: { name: `adm-${name}` }, provisioner: "a.b/c", allowVolumeExpansion })),
    ),
    settle,
  );
  for (let index = 0; index < 24; index++) {
    const name = `grows${index}`;
    const path = `${claims}/${name}`;
    const storageClassName = random.pick(["adm-grows", "adm-grows", "adm-fixed", "adm-silent", "adm-missing", ""]);
    const spec = { accessModes: ["ReadWriteOnce"], volumeName: "v", resources: { requests: { storage: "2Gi" } } };
    const status = { phase: random.pick(["Bound", "Bound", "Bound", "Pending", "Lost"]), capacity: { storage: "2Gi" } };
    const change = () => ({
      spec: { resources: { requests: { storage: random.pick(sizes) } } },
      ...(random.chance(0.2) ? { metadata: { annotations: { [classOfClaim]: "adm-grows" } } } : {}),
    });
    yield one(
      `growth ${index} of a claim of ${storageClassName}`,
      quiet(
        post(claims, {
          metadata: { name, ...(random.chance(0.2) ? { annotations: { [classOfClaim]: "adm-grows" } } : {}) },
          spec: { ...spec, storageClassName },
        }),
      ),
      quiet(merge(`${path}/status`, { status })),
      ...Array.from({ length: 6 }, () => merge(`${path}?dryRun=All`, change())),
      merge(path, change()),
      merge(path, change()),
    );
  }
}
