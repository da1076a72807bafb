import { memberOf, textOf } from "../access/stored-members.js";

/** An object in a namespace. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** The objects that a persistent volume entitles the nodes that use it to read. */
export interface VolumeReferences {
  /** The claim that the volume is bound to. */
  readonly claim: NamespacedName;
  readonly secrets: readonly NamespacedName[];
}

/** Volume sources whose secrets are in the namespace of the claim unless stated. */
const sourcesOfClaims = ["cephfs", "flexVolume", "rbd", "scaleIO", "iscsi"];
const sourcesElsewhere = ["cinder", "storageos"];
/** Secrets of CSI volumes that nodes may read; those for controllers are left out. */
const csiSecrets = ["nodePublishSecretRef", "nodeStageSecretRef", "nodeExpandSecretRef"];

/** Returns the references of a persistent volume; undefined if it is bound to no claim. */
export function volumeReferences(volume: unknown): VolumeReferences | undefined {
  const spec = memberOf(volume, "spec");
  const claimRef = memberOf(spec, "claimRef");
  if (claimRef === undefined || claimRef === null) {
    return undefined;
  }
  const claim = { namespace: textOf(claimRef, "namespace"), name: textOf(claimRef, "name") };
  const azure = memberOf(spec, "azureFile");
  const secrets = [
    { namespace: textOf(azure, "secretNamespace") || claim.namespace, name: textOf(azure, "secretName") },
    ...sourcesOfClaims.map((source) => secretOf(memberOf(memberOf(spec, source), "secretRef"), claim.namespace)),
    ...sourcesElsewhere.map((source) => secretOf(memberOf(memberOf(spec, source), "secretRef"), "")),
    ...csiSecrets.map((reference) => secretOf(memberOf(memberOf(spec, "csi"), reference), "")),
  ];
  return { claim, secrets: secrets.filter(({ name }) => name !== "") };
}

function secretOf(reference: unknown, otherwise: string): NamespacedName {
  return { namespace: textOf(reference, "namespace") || otherwise, name: textOf(reference, "name") };
}
