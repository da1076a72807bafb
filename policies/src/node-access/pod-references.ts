import { listOf, memberOf, textOf } from "../access/stored-members.js";

/** The kind of an object that a node may read for the pods that run on it. */
export type ReferencedKind = "configmaps" | "persistentvolumeclaims" | "resourceclaims" | "secrets" | "serviceaccounts";

/** An object in the namespace of the pod that names it. */
export interface PodReference {
  readonly kind: ReferencedKind;
  readonly name: string;
}

const mirrorAnnotation = "kubernetes.io/config.mirror";

/**
 * Returns the objects that a pod entitles its node to read. A mirror pod entitles it to none: nodes make those
 * themselves, and must not gain access by making one.
 */
export function podReferences(pod: unknown): readonly PodReference[] {
  const spec = memberOf(pod, "spec");
  if (memberOf(memberOf(memberOf(pod, "metadata"), "annotations"), mirrorAnnotation) !== undefined) {
    return [];
  }
  const references: PodReference[] = [];
  const add = (kind: ReferencedKind, name: string): void => {
    if (name !== "") {
      references.push({ kind, name });
    }
  };
  add("serviceaccounts", textOf(spec, "serviceAccountName"));
  for (const secret of listOf(spec, "imagePullSecrets")) {
    add("secrets", textOf(secret, "name"));
  }
  for (const list of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const container of listOf(spec, list)) {
      addContainer(container, add);
    }
  }
  for (const volume of listOf(spec, "volumes")) {
    addVolume(volume, textOf(memberOf(pod, "metadata"), "name"), add);
  }
  for (const claim of listOf(spec, "resourceClaims")) {
    add("resourceclaims", resourceClaimName(claim, pod));
  }
  return references;
}

type Add = (kind: ReferencedKind, name: string) => void;

function addContainer(container: unknown, add: Add): void {
  for (const source of listOf(container, "envFrom")) {
    add("secrets", textOf(memberOf(source, "secretRef"), "name"));
    add("configmaps", textOf(memberOf(source, "configMapRef"), "name"));
  }
  for (const variable of listOf(container, "env")) {
    const source = memberOf(variable, "valueFrom");
    add("secrets", textOf(memberOf(source, "secretKeyRef"), "name"));
    add("configmaps", textOf(memberOf(source, "configMapKeyRef"), "name"));
  }
}

/** Kinds of volumes that name a secret under `secretRef`. */
const volumesWithSecrets = ["cephfs", "cinder", "flexVolume", "rbd", "scaleIO", "iscsi", "storageos"];

function addVolume(volume: unknown, podName: string, add: Add): void {
  add("secrets", textOf(memberOf(volume, "azureFile"), "secretName"));
  add("secrets", textOf(memberOf(volume, "secret"), "secretName"));
  add("secrets", textOf(memberOf(memberOf(volume, "csi"), "nodePublishSecretRef"), "name"));
  for (const kind of volumesWithSecrets) {
    add("secrets", textOf(memberOf(memberOf(volume, kind), "secretRef"), "name"));
  }
  add("configmaps", textOf(memberOf(volume, "configMap"), "name"));
  for (const source of listOf(memberOf(volume, "projected"), "sources")) {
    add("secrets", textOf(memberOf(source, "secret"), "name"));
    add("configmaps", textOf(memberOf(source, "configMap"), "name"));
  }
  add("persistentvolumeclaims", textOf(memberOf(volume, "persistentVolumeClaim"), "claimName"));
  if (memberOf(volume, "ephemeral") !== undefined) {
    add("persistentvolumeclaims", `${podName}-${textOf(volume, "name")}`);
  }
}

/** Returns the name of the claim itself, or of the one made from a template, which is in the status. */
function resourceClaimName(claim: unknown, pod: unknown): string {
  const named = textOf(memberOf(claim, "source"), "resourceClaimName");
  if (named !== "") {
    return named;
  }
  const made = listOf(memberOf(pod, "status"), "resourceClaimStatuses").find(
    (status) => textOf(status, "name") === textOf(claim, "name"),
  );
  return textOf(made, "resourceClaimName");
}
