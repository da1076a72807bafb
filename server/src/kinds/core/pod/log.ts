import { textAt } from "@gatehouse/envelopes";
import type { CatalogueSource } from "../../../catalogue/live-catalogue.js";
import { sendAnswer } from "../../../http/answer.js";
import { plainOffer } from "../../../http/negotiation.js";
import { representationFor } from "../../../verbs/respond.js";
import type { VerbHandler } from "../../../verbs/verb-handler.js";
import { readNamed } from "../read-named.js";
import { parseLogOptions } from "./log-options.js";
import { checkContainer, failAtNode } from "./pod-on-node.js";

/**
 * Returns the handler for GET of a pod's /log: 204 while the pod is on no node and so has no log; else the kubelet
 * would be called.
 */
export function getLog(catalogues: CatalogueSource): VerbHandler {
  return async (_environment, context, served) => {
    representationFor(context, plainOffer);
    const { container } = parseLogOptions(context);
    const pod = await readNamed(served, context.info.namespace, context.info.name);
    checkContainer(pod, container);
    if (textAt(pod, "spec", "nodeName") !== "") {
      await failAtNode(catalogues, served, pod);
    }
    sendAnswer(context, 204, {});
  };
}
