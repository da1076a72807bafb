import { isIPv4 } from "node:net";
import { badRequest, goQuote, type JsonObject, listAt, StatusError, textAt } from "@gatehouse/envelopes";
import type { CatalogueSource } from "../../../catalogue/live-catalogue.js";
import type { Connect, Connection } from "../../../subresources/connect.js";
import { splitSchemeNamePort } from "../../../subresources/scheme-name-port.js";
import { checkNodeAddress, unreachableNode } from "../node/connect.js";
import { readNamed } from "../read-named.js";

/** /exec and /attach of a pod: one of its containers, on its node. */
export function connectToContainer(catalogues: CatalogueSource): Connect {
  return async (connection) => {
    const pod = await podOf(connection);
    checkContainer(pod, connection);
    await failAtNode(catalogues, pod, connection);
  };
}

/** /portforward of a pod. */
export function connectToPorts(catalogues: CatalogueSource): Connect {
  return async (connection) => failAtNode(catalogues, await podOf(connection), connection);
}

/** /proxy of a pod. */
export const connectPodProxy: Connect = async ({ context, served }) => {
  const { name, namespace } = context.info;
  const id = splitSchemeNamePort(name);
  if (id === undefined) {
    throw badRequest(`invalid pod request ${goQuote(name)}`);
  }
  const pod = await readNamed(served, namespace, id.name);
  const [first] = listAt(pod, "status", "podIPs");
  if (!isGlobalUnicast(textAt(first, "ip"))) {
    throw badRequest("address not allowed");
  }
  throw new StatusError(503, "ServiceUnavailable", "this server does not connect to pods");
};

function podOf({ context, served }: Connection): Promise<JsonObject> {
  return readNamed(served, context.info.namespace, context.info.name);
}

function checkContainer(pod: JsonObject, { options, context }: Connection): void {
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    listAt(pod, "spec", list).map((container) => textAt(container, "name")),
  );
  const wanted = textAt(options, "container");
  const { name } = context.info;
  if (wanted !== "" && !containers.includes(wanted)) {
    throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  if (wanted === "" && listAt(pod, "spec", "containers").length !== 1) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${containers.join(" ")}]`);
  }
}

async function failAtNode(catalogues: CatalogueSource, pod: JsonObject, { context }: Connection): Promise<never> {
  const nodeName = textAt(pod, "spec", "nodeName");
  if (nodeName === "") {
    throw badRequest(`pod ${context.info.name} does not have a host assigned`);
  }
  const nodes = catalogues.current.find("", "v1", "nodes");
  if (nodes !== undefined) {
    checkNodeAddress(await readNamed(nodes, "", nodeName));
  }
  throw unreachableNode();
}

/** Neither loopback nor link-local nor multicast, and an address at all. */
function isGlobalUnicast(address: string): boolean {
  if (isIPv4(address)) {
    const [first = 0, second] = address.split(".").map(Number);
    return first !== 0 && first !== 127 && first < 224 && !(first === 169 && second === 254);
  }
  return address.includes(":") && address !== "::" && address !== "::1" && !/^f[ef][89a-f]?/i.test(address);
}
