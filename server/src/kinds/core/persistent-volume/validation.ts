import { isSameBySchema } from "@gatehouse/apiserver/objects";
import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, immutable, validateImmutable } from "@gatehouse/apiserver/validation";
import { copyJson } from "@gatehouse/envelopes/codec";
import { goDiff, goLiteral, goPointer, isSamePointer } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import { persistentSourceMembers } from "../../../validation/volumes/persistent-sources.js";
import { validatePersistentVolumeSpec } from "../../../validation/volumes/persistent-volume-spec.js";

const specPath = FieldPath.of("spec");
const attributesClassPath = specPath.child("volumeAttributesClassName");
const sourceMessage = "k8s.io.api.core.v1.PersistentVolumeSource";
const affinityMessage = "k8s.io.api.core.v1.VolumeNodeAffinity";
const mountOptions = "volume.beta.kubernetes.io/mount-options";

/** Sources that are mounted with options. */
const mountableSources = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
];

/** Newer names of deprecated node labels, by the older name. */
const renamedLabels: ReadonlyMap<string, string> = new Map([
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ["beta.kubernetes.io/os", "kubernetes.io/os"],
  ["beta.kubernetes.io/arch", "kubernetes.io/arch"],
  ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
]);

/** Rules of PersistentVolume, whose source does not change. */
export const persistentVolumeValidation: KindValidation = {
  create(volume, errors, context) {
    validateVolume(volume, undefined, errors, context);
    validateMountOptions(volume, errors);
  },
  update(volume, old, errors, context) {
    errors.recheckMetadata("object");
    validateVolume(volume, old, errors, context);
    validateMountOptions(volume, errors);
    // v1.29 validates the volume twice.
    errors.recheckMetadata("object");
    validateVolume(volume, old, errors, context);
    validateUpdate(objectAt(volume, "spec"), objectAt(old, "spec"), errors, context);
  },
  subresources: {
    status(volume, _old, errors) {
      errors.recheckMetadata("change");
      if (textAt(volume, "metadata", "resourceVersion") === "") {
        errors.required(FieldPath.of("resourceVersion"));
      }
    },
  },
};

function validateVolume(
  volume: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  { features }: StrategyContext,
): void {
  validatePersistentVolumeSpec(objectAt(volume, "spec"), specPath, errors, {
    volumeName: textAt(volume, "metadata", "name"),
    isInline: false,
    checksAttributesClass: features.enabled("VolumeAttributesClass") || isSet(old, "spec", "volumeAttributesClassName"),
  });
}

function validateMountOptions(volume: JsonObject, errors: FieldErrors): void {
  const isGiven = Object.hasOwn(objectAt(volume, "metadata", "annotations"), mountOptions);
  if (isGiven && !mountableSources.some((member) => isSet(volume, "spec", member))) {
    const path = FieldPath.of("metadata").child("annotations").child(mountOptions);
    errors.forbidden(path, "may not specify mount options for this volume type");
  }
}

function validateUpdate(
  spec: JsonObject,
  oldSpec: JsonObject,
  errors: FieldErrors,
  { features }: StrategyContext,
): void {
  const source = sourceOf(spec);
  const oldSource = sourceOf(oldSpec);
  if (isSet(source, "csi") && isSet(oldSource, "csi") && !isSet(oldSource, "csi", "controllerExpandSecretRef")) {
    const { controllerExpandSecretRef: _added, ...csi } = objectAt(source, "csi");
    source["csi"] = csi;
  }
  if (!isSameBySchema(messageSchema(sourceMessage), source, oldSource)) {
    const diff = goDiff(sourceMessage, oldSource, source);
    const detail = `spec.persistentvolumesource is immutable after creation\n${diff}`;
    errors.forbidden(specPath.child("persistentvolumesource"), detail);
  }
  validateImmutable(spec["volumeMode"], oldSpec["volumeMode"], FieldPath.of("volumeMode"), errors);
  if (isSet(oldSpec, "nodeAffinity") && !isSameAffinity(spec["nodeAffinity"], oldSpec["nodeAffinity"])) {
    const detail = `${immutable}, except for updating from beta label to GA`;
    errors.invalidShown(FieldPath.of("nodeAffinity"), goAffinity(spec["nodeAffinity"]), detail);
  }
  const member = "volumeAttributesClassName";
  if (!isSamePointer(spec[member], oldSpec[member])) {
    if (!features.enabled("VolumeAttributesClass")) {
      const detail = "update is forbidden when the VolumeAttributesClass feature gate is disabled";
      errors.forbidden(attributesClassPath, detail);
    }
    if (isSet(oldSpec, member) && !isSet(spec, member)) {
      errors.forbidden(attributesClassPath, "update from non-nil value to nil is forbidden");
    }
  }
}

function sourceOf(spec: JsonObject): JsonObject {
  return Object.fromEntries(
    persistentSourceMembers.flatMap((member) => (isSet(spec, member) ? [[member, spec[member]]] : [])),
  ) as JsonObject;
}

/** Reports whether the node affinity is unchanged, apart from labels replaced by their newer names. */
function isSameAffinity(affinity: JsonValue | undefined, old: JsonValue | undefined): boolean {
  const terms = listAt(affinity, "required", "nodeSelectorTerms");
  const renamed = copyJson(old ?? null);
  for (const [index, term] of listAt(renamed, "required", "nodeSelectorTerms").entries()) {
    for (const member of ["matchExpressions", "matchFields"]) {
      const requirements = listAt(terms[index], member);
      for (const [at, requirement] of listAt(term, member).entries()) {
        const key = textAt(requirements[at], "key");
        // A label without a newer name may be left out, too: v1.29 does not distinguish the two cases.
        if ((renamedLabels.get(textAt(requirement, "key")) ?? "") === key) {
          (requirement as JsonObject)["key"] = key;
        }
      }
    }
  }
  return isSet(affinity) && isSameBySchema(messageSchema(affinityMessage), affinity, renamed);
}

function goAffinity(affinity: JsonValue | undefined): string {
  return isSet(affinity)
    ? goLiteral("core.VolumeNodeAffinity", { Required: goPointer("core.NodeSelector", objectAt(affinity)["required"]) })
    : '"null"';
}
