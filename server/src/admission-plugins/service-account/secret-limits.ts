import { isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { type ContainerList, containersOf } from "../pods.js";
import type { Account } from "./account.js";

/** Returns the fault in the secrets that a pod uses when its account lists all that it may; undefined for none. */
export function forbiddenSecret(pod: JsonObject, account: Account): string | undefined {
  return (
    forbiddenVolume(pod, account) ??
    forbiddenVariable(pod, "initContainers", account) ??
    forbiddenVariable(pod, "containers", account) ??
    forbiddenPullSecret(pod, account)
  );
}

/** Names in refusals of the containers of each list. */
const titles: Readonly<Record<ContainerList, string>> = {
  initContainers: "init container",
  containers: "container",
  ephemeralContainers: "ephemeral container",
};

/**
 * Returns the fault in the secrets in the environment of containers. Whole secrets (`envFrom`) count like single keys:
 * v1.29.0 omits them, later releases of 1.29 do not (CVE-2024-3177).
 */
export function forbiddenVariable(pod: JsonObject, list: ContainerList, account: Account): string | undefined {
  for (const container of containersOf(pod, [list])) {
    const title = `${titles[list]} ${textAt(container, "name")}`;
    for (const variable of listAt(container, "env")) {
      const secret = textAt(variable, "valueFrom", "secretKeyRef", "name");
      if (isSet(variable, "valueFrom", "secretKeyRef") && !account.secrets.has(secret)) {
        return `${title} with envVar ${textAt(variable, "name")} referencing ${unlisted(secret, account)}`;
      }
    }
    for (const source of listAt(container, "envFrom")) {
      const secret = textAt(source, "secretRef", "name");
      if (isSet(source, "secretRef") && !account.secrets.has(secret)) {
        return `${title} with envFrom referencing ${unlisted(secret, account)}`;
      }
    }
  }
  return undefined;
}

function forbiddenVolume(pod: JsonObject, account: Account): string | undefined {
  for (const volume of listAt(pod, "spec", "volumes")) {
    const secret = textAt(volume, "secret", "secretName");
    if (isSet(volume, "secret") && !account.secrets.has(secret)) {
      return `volume with ${unlisted(secret, account)}`;
    }
  }
  return undefined;
}

/** Words a refusal as v1.29 does, with plain quotes around the name instead of Go's. */
function unlisted(secret: string, { name }: Account): string {
  return `secret.secretName="${secret}" is not allowed because service account ${name} does not reference that secret`;
}

function forbiddenPullSecret(pod: JsonObject, { name, imagePullSecrets }: Account): string | undefined {
  for (const [index, reference] of listAt(pod, "spec", "imagePullSecrets").entries()) {
    const secret = textAt(reference, "name");
    if (!imagePullSecrets.includes(secret)) {
      return `imagePullSecrets[${index}].name="${secret}" is not allowed because service account ${name} does not reference that imagePullSecret`;
    }
  }
  return undefined;
}
