import { type Connect, splitSchemeNamePort } from "@gatehouse/apiserver/subresources";
import { goQuote } from "@gatehouse/envelopes/go";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { badRequest, StatusError } from "@gatehouse/envelopes/status";
import { readNamed } from "../read-named.js";

/** Types of addresses, in the order in which kube-apiserver prefers them. */
const addressTypes = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];

/**
 * Returns the 503 for requests to a node: nodes are reached through their kubelets, which this server does not call.
 */
export function unreachableNode(): StatusError {
  return new StatusError(503, "ServiceUnavailable", "this server does not connect to nodes");
}

/** Throws 500 if a node has no address by which v1.29 could reach it. */
export function checkNodeAddress(node: JsonObject): void {
  const addresses = listAt(node, "status", "addresses");
  const isReachable = addresses.some((address) => addressTypes.includes(textAt(address, "type")));
  if (!isReachable) {
    throw new StatusError(500, "", "no preferred addresses found; known addresses: []");
  }
}

/** Handles /proxy of a node. */
export const connectNodeProxy: Connect = async ({ context, served }) => {
  const id = splitSchemeNamePort(context.info.name);
  if (id === undefined) {
    throw badRequest(`invalid node request ${goQuote(context.info.name)}`);
  }
  checkNodeAddress(await readNamed(served, "", id.name));
  throw unreachableNode();
};
