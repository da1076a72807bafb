import { goQuote } from "@gatehouse/envelopes/go";
import { type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { parseIpAddress, parseIpPrefix } from "../../ip-text.js";
import { clusterIPsOf, headlessAddress } from "./service-fields.js";

const topologyHints = "service.kubernetes.io/topology-aware-hints";
const topologyMode = "service.kubernetes.io/topology-mode";

/** Returns the warnings about a service. */
export function serviceWarnings(service: JsonObject): readonly string[] {
  const spec = objectAt(service, "spec");
  const addresses = clusterIPsOf(spec);
  const loadBalancerIP = textAt(spec, "loadBalancerIP");
  return [
    ...(Object.hasOwn(objectAt(service, "metadata", "annotations"), topologyHints)
      ? [`annotation ${topologyHints} is deprecated, please use ${topologyMode} instead`]
      : []),
    ...(addresses[0] === headlessAddress
      ? []
      : addresses.flatMap((address, index) => addressWarnings(address, `spec.clusterIPs[${index}]`))),
    ...listAt(spec, "externalIPs").flatMap((address, index) =>
      addressWarnings(String(address), `spec.externalIPs[${index}]`),
    ),
    ...(loadBalancerIP === "" ? [] : addressWarnings(loadBalancerIP, "spec.loadBalancerIP")),
    ...listAt(spec, "loadBalancerSourceRanges").flatMap((range, index) =>
      prefixWarnings(String(range), `spec.loadBalancerSourceRanges[${index}]`),
    ),
    ...ignoredMembers(spec),
  ];
}

function addressWarnings(text: string, at: string): readonly string[] {
  const address = parseIpAddress(text);
  if ("problem" in address) {
    return [`${at}: IP address was accepted, but will be invalid in a future Kubernetes release: ${address.problem}`];
  }
  return address.family === "IPv6" && address.text !== text ? [notCanonical(at, "address", text, address.text)] : [];
}

function prefixWarnings(text: string, at: string): readonly string[] {
  const prefix = parseIpPrefix(text);
  if ("problem" in prefix) {
    return [`${at}: IP prefix was accepted, but will be invalid in a future Kubernetes release: ${prefix.problem}`];
  }
  return prefix.family === "IPv6" && prefix.text !== text ? [notCanonical(at, "prefix", text, prefix.text)] : [];
}

function notCanonical(at: string, what: string, text: string, canonical: string): string {
  return `${at}: IPv6 ${what} ${goQuote(text)} is not in RFC 5952 canonical format (${goQuote(canonical)}), which may cause controller apply-loops`;
}

function ignoredMembers(spec: JsonObject): readonly string[] {
  if (textAt(spec, "type") === "ExternalName") {
    return listAt(spec, "externalIPs").length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : [];
  }
  return textAt(spec, "externalName") === ""
    ? []
    : ['spec.externalName is ignored when spec.type is not "ExternalName"'];
}
