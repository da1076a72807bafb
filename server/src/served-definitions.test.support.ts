import {
  definitionEstablishing,
  definitionFinalizing,
  definitionNaming,
} from "@gatehouse/custom-resources/controllers";
import { LiveCustomResources } from "@gatehouse/custom-resources/resources";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { TestControlPlane } from "./control-plane.test.support.js";

/** The resource of the definitions of custom resources. */
export const definitions = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

/** Returns the definition of the kind Thing in a group. */
export function definitionOfThings(
  group: string,
  scope: "Cluster" | "Namespaced",
  versions: readonly JsonObject[],
): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope,
      names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
      versions: [...versions],
    },
  };
}

/** Serves the custom kinds of a control plane, as its definitions come and go. */
export async function serveDefinitions(plane: TestControlPlane): Promise<void> {
  const { liveRegistry, storages, client, errors, signal } = plane;
  const onError = (error: unknown): void => void errors.push(error);
  await new LiveCustomResources({ liveRegistry, storages, onError }).follow(signal);
  for (const controller of [definitionNaming, definitionEstablishing, definitionFinalizing]) {
    plane.start(controller({ client, onError, now: Date.now }));
  }
}
