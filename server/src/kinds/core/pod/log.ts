import { plainOffer, sendAnswer } from "@gatehouse/apiserver/http";
import type { RegistrySource } from "@gatehouse/apiserver/registry";
import { representationFor, type VerbHandler } from "@gatehouse/apiserver/verbs";
import { textAt } from "@gatehouse/envelopes/json";
import { readNamed } from "../read-named.js";
import { parseLogOptions } from "./log-options.js";
import { checkContainer, failAtNode } from "./pod-on-node.js";

/**
 * Returns the handler for GET of a pod's /log: 204 while the pod is on no node and so has no log; else the kubelet
 * would be called.
 */
export function getLog(liveRegistry: RegistrySource): VerbHandler {
  return async ({ context, served }) => {
    representationFor(context, plainOffer);
    const { container } = parseLogOptions(context);
    const pod = await readNamed(served, context.info.namespace, context.info.name);
    checkContainer(pod, container);
    if (textAt(pod, "spec", "nodeName") !== "") {
      await failAtNode(liveRegistry, served, pod);
    }
    sendAnswer(context, 204, {});
  };
}
