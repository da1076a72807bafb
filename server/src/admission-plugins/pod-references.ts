import { isSet, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import { containersOf } from "./pods.js";

/** Paths to the secret in the sources of volumes. A volume counts as the first of these sources that it has. */
const volumeSecrets: readonly (readonly [source: string, ...path: string[]])[] = [
  ["azureFile", "secretName"],
  ["cephfs", "secretRef", "name"],
  ["cinder", "secretRef", "name"],
  ["flexVolume", "secretRef", "name"],
  ["projected"],
  ["rbd", "secretRef", "name"],
  ["secret", "secretName"],
  ["scaleIO", "secretRef", "name"],
  ["iscsi", "secretRef", "name"],
  ["storageos", "secretRef", "name"],
  ["csi", "nodePublishSecretRef", "name"],
];

/** Reports whether a pod names a secret anywhere: to pull images, in the environment of a container, in a volume. */
export function namesSecrets(pod: JsonObject): boolean {
  return (
    listAt(pod, "spec", "imagePullSecrets").some((reference) => textAt(reference, "name") !== "") ||
    containersOf(pod).some((container) => environmentNames(container, "secretRef", "secretKeyRef")) ||
    listAt(pod, "spec", "volumes").some(namesSecret)
  );
}

/** Reports whether a pod names a config map anywhere: in the environment of a container or in a volume. */
export function namesConfigMaps(pod: JsonObject): boolean {
  return (
    containersOf(pod).some((container) => environmentNames(container, "configMapRef", "configMapKeyRef")) ||
    listAt(pod, "spec", "volumes").some((volume) =>
      isSet(volume, "projected") ? projects(volume, "configMap") : textAt(volume, "configMap", "name") !== "",
    )
  );
}

function environmentNames(container: JsonObject, all: string, one: string): boolean {
  return (
    listAt(container, "envFrom").some((source) => textAt(source, all, "name") !== "") ||
    listAt(container, "env").some((variable) => textAt(variable, "valueFrom", one, "name") !== "")
  );
}

function namesSecret(volume: JsonValue): boolean {
  const source = volumeSecrets.find(([name]) => isSet(volume, name));
  if (source === undefined) {
    return false;
  }
  return source[0] === "projected" ? projects(volume, "secret") : textAt(volume, ...source) !== "";
}

function projects(volume: JsonValue, source: string): boolean {
  return listAt(volume, "projected", "sources").some((projection) => textAt(projection, source, "name") !== "");
}
