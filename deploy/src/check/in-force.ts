import { conditionOfType, isJsonObject, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import type { JudgingServer } from "./judging-server.js";
import { ServedKinds } from "./served-kinds.js";
import { waitUntil } from "./wait-until.js";

/** Waits for the `default` service account of a namespace, without which no pod is taken. */
export async function untilServiceAccount(server: JudgingServer, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/default`;
  await waitUntil(
    `the namespace ${namespace} has no service account`,
    async () => (await server.send({ path })).status === 200,
  );
}

/** Waits until the controller has counted for a quota: before that, a new quota refuses everything. */
export async function untilQuotaCounts(server: JudgingServer, objectPath: string): Promise<void> {
  await waitUntil(`the quota at ${objectPath} has no status`, async () => {
    const { status, body } = await server.send({ path: objectPath });
    return status !== 200 || isSet(body, "status", "hard") || !isSet(body, "spec", "hard");
  });
}

/**
 * Waits until the controllers have decided about a definition, and its kinds are in the discovery. Resolves to the kinds
 * that are served from then on, or to the reason why those of the definition never will be.
 */
export async function untilServed(server: JudgingServer, definition: JsonObject): Promise<ServedKinds | string> {
  const refusal = await untilDecided(server, textAt(definition, "metadata", "name"));
  if (refusal !== undefined) {
    return refusal;
  }
  const group = textAt(definition, "spec", "group");
  const kind = textAt(definition, "spec", "names", "kind");
  const versions = listAt(definition, "spec", "versions").filter(isServed);
  let kinds = await ServedKinds.discover(server);
  await waitUntil(`the kind ${kind} of ${group} is not in the discovery`, async () => {
    if (versions.every((version) => kinds.find(`${group}/${textAt(version, "name")}`, kind))) {
      return true;
    }
    kinds = await ServedKinds.discover(server);
    return false;
  });
  return kinds;
}

/** Waits until a definition is established, or resolves to the reason why it will not be. */
async function untilDecided(server: JudgingServer, name: string): Promise<string | undefined> {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(name)}`;
  let refusal: JsonObject | undefined;
  await waitUntil(`the definition ${name} is not established`, async () => {
    const conditions = listAt((await server.send({ path })).body, "status", "conditions");
    refusal = ["NamesAccepted", "KubernetesAPIApprovalPolicyConformant"]
      .map((type) => conditionOfType(conditions, type))
      .find((condition) => textAt(condition, "status") === "False");
    return refusal !== undefined || textAt(conditionOfType(conditions, "Established"), "status") === "True";
  });
  return refusal && textAt(refusal, "message");
}

function isServed(version: unknown): version is JsonObject {
  return isJsonObject(version) && version["served"] === true;
}
