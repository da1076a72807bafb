import {
  definitionEstablishing,
  definitionFinalizing,
  definitionNaming,
} from "@gatehouse/custom-resources/controllers";
import { LiveCustomResources } from "@gatehouse/custom-resources/resources";
import type { TestControlPlane } from "./control-plane.test.support.js";

/** Serves the custom kinds of a control plane, as its definitions come and go. */
export async function serveDefinitions(plane: TestControlPlane): Promise<void> {
  const { liveRegistry, storages, client, errors, signal } = plane;
  const onError = (error: unknown): void => void errors.push(error);
  await new LiveCustomResources({ liveRegistry, storages, onError }).follow(signal);
  for (const controller of [definitionNaming, definitionEstablishing, definitionFinalizing]) {
    plane.start(controller({ client, onError, now: Date.now }));
  }
}
