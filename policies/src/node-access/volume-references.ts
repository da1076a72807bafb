import { memberOf, textOf } from "../access/stored-members.js";

/** An object in a namespace. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** What a persistent volume gives the nodes that use it a reason to read. */
export interface VolumeReferences {
  /** The claim that the volume is bound to; nobody uses a volume that is bound to none. */
  readonly claim: NamespacedName;
  readonly secrets: readonly NamespacedName[];
}

/** Of whose secrets the namespace is that of the claim where none is told. */
const sourcesOfClaims = ["cephfs", "flexVolume", "rbd", "scaleIO", "iscsi"];
const sourcesElsewhere = ["cinder", "storageos"];
/** What controllers need, nodes do not see. */
const csiSecrets = ["nodePublishSecretRef", "nodeStageSecretRef", "nodeExpandSecretRef"];

/** Undefined when the volume is bound to no claim. */
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
