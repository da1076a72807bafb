import { type AdmissionPlugin, isCoreWrite, refusal } from "@gatehouse/apiserver/admission";
import { metaOf, type ObjectMeta } from "@gatehouse/apiserver/objects";
import { isSet, type JsonObject, ownList, ownObject, textAt } from "@gatehouse/envelopes/json";

/** Label keys of zone and region: the current names and the former ones. */
const topologyKeys = [
  ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"],
  ["failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"],
] as const;
const provisionedAnnotation = "pv.kubernetes.io/provisioned-by";

/** The name of a volume that is being made. */
const provisioned = "placeholder-for-provisioning";

/** Types of volumes whose location only their cloud knows, with v1.29's message for each when there is no cloud. */
const clouds = [
  {
    source: "gcePersistentDisk",
    name: "pdName",
    provisioned,
    title: "GCE PD volume",
    missing: "unable to build GCE cloud provider for PD",
  },
  {
    source: "azureDisk",
    name: "diskName",
    provisioned,
    title: "AzureDisk volume",
    missing: "unable to build Azure cloud provider for AzureDisk",
  },
  {
    source: "vsphereVolume",
    name: "volumePath",
    provisioned: undefined,
    title: "vSphere Volume",
    missing: "unable to build vSphere cloud provider",
  },
] as const;

/**
 * PersistentVolumeLabel: volumes are used where they are. Without a cloud to ask, that is known only of those whose
 * provisioner has said it; other volumes of clouds are refused.
 */
export function persistentVolumeLabel(): AdmissionPlugin {
  return {
    name: "PersistentVolumeLabel",
    concerns: (write) => isCoreWrite(write, "persistentvolumes", ["CREATE"]),
    admit(attributes) {
      const volume = attributes.object as JsonObject;
      const labels = trustedLabels(metaOf(volume));
      if (labels.length > 0) {
        const unreadable = labels.find(([key, value]) => valuesOf(key, value).includes(""));
        if (unreadable !== undefined) {
          throw refusal(attributes, `failed to convert label string for Zone: ${unreadable[1]} to a Set`);
        }
        attributes.mutate((object) => {
          demandLabels(object, labels);
          return undefined;
        });
        return;
      }
      const cloud = clouds.find(({ source }) => isSet(volume, "spec", source));
      if (cloud !== undefined) {
        const name = textAt(volume, "spec", cloud.source, cloud.name);
        if (name !== cloud.provisioned) {
          throw refusal(attributes, `error querying ${cloud.title} ${name}: ${cloud.missing}`);
        }
      }
    },
  };
}

type Labels = readonly (readonly [key: string, value: string])[];

/** Returns the zone and region of a volume that a provisioner has made. */
function trustedLabels({ labels = {}, annotations = {} }: ObjectMeta): Labels {
  const keys = topologyKeys.find((pair) => pair.every((key) => Object.hasOwn(labels, key)));
  return keys === undefined || !Object.hasOwn(annotations, provisionedAnnotation)
    ? []
    : keys.map((key) => [key, labels[key] ?? ""]);
}

/** Adds a node affinity for the labels to a volume, unless its own affinity names one of them. */
function demandLabels(volume: JsonObject, labels: Labels): void {
  const required = ownObject(ownObject(ownObject(volume, "spec"), "nodeAffinity"), "required");
  const terms = ownList(required, "nodeSelectorTerms");
  if (terms.length === 0) {
    terms.push({});
  }
  const stated = new Set(
    terms.flatMap((term) =>
      ownList(term as JsonObject, "matchExpressions").map((expression) => textAt(expression, "key")),
    ),
  );
  if (labels.some(([key]) => stated.has(key))) {
    return;
  }
  for (const term of terms) {
    for (const [key, value] of labels) {
      ownList(term as JsonObject, "matchExpressions").push({ key, operator: "In", values: valuesOf(key, value) });
    }
  }
}

/** Returns the values of a label; a zone label may list several, separated by `__`. */
function valuesOf(key: string, value: string): string[] {
  return key.endsWith("/zone") ? [...new Set(value.split("__").map((zone) => zone.trim()))].sort() : [value];
}
