import { type ConvertMembers, present } from "@gatehouse/apiserver/conversion";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { StoredFormTable } from "./stored-form.js";

const zoneLabel = "topology.kubernetes.io/zone";
const hostnameLabel = "kubernetes.io/hostname";

/** Networks in extensions/v1beta1 and networking.k8s.io/v1beta1, endpoint slices in discovery.k8s.io/v1beta1. */
export const networkForms: StoredFormTable = {
  ingress: {
    olderVersions: [
      { group: "networking.k8s.io", version: "v1beta1", toStored: ingressFromBeta1 },
      { group: "extensions", version: "v1beta1", toStored: ingressFromBeta1 },
    ],
  },
  ingressclasses: {
    olderVersions: [{ group: "networking.k8s.io", version: "v1beta1", toStored: (object) => object, isComplete: true }],
  },
  networkpolicies: {
    olderVersions: [{ group: "extensions", version: "v1beta1", toStored: policyFromExtensions, isComplete: true }],
  },
  endpointslices: {
    olderVersions: [{ group: "discovery.k8s.io", version: "v1beta1", toStored: withEndpoints(endpointFromBeta1) }],
    // v1.29 serves v1 alone and stores v1beta1 all the same.
    atRest: { version: { version: "v1beta1", fromStored: withEndpoints(endpointToBeta1) } },
  },
};

function ingressFromBeta1(object: JsonObject): JsonObject {
  const { backend, rules: _rules, ...spec } = objectAt(object, "spec");
  return {
    ...object,
    spec: present({
      ...spec,
      defaultBackend: isSet(object, "spec", "backend") ? backendFromBeta1(backend) : undefined,
      rules: listAt(object, "spec", "rules").map(ruleFromBeta1),
    }),
  };
}

function ruleFromBeta1(rule: JsonValue): JsonObject {
  const paths = listAt(rule, "http", "paths").map((path) => ({
    ...objectAt(path),
    pathType: textAt(path, "pathType") || "ImplementationSpecific",
    backend: backendFromBeta1(objectAt(path, "backend")),
  }));
  return isSet(rule, "http") ? { ...objectAt(rule), http: { paths } } : { ...objectAt(rule) };
}

function backendFromBeta1(backend: JsonValue | undefined): JsonObject {
  const { serviceName = "", servicePort = 0, ...rest } = objectAt(backend);
  // A port that is an empty text counts as stated.
  if (serviceName === "" && (servicePort === 0 || servicePort === null)) {
    return rest;
  }
  const port = typeof servicePort === "string" ? { name: servicePort } : { number: servicePort };
  return { ...rest, service: { name: serviceName, port } };
}

/** Converts a policy whose types follow from its rules; ports without a protocol stay so. */
function policyFromExtensions(object: JsonObject): JsonObject {
  const spec = objectAt(object, "spec");
  const types = listAt(spec, "policyTypes");
  const implied = listAt(spec, "egress").length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
  return { ...object, spec: { ...spec, policyTypes: types.length > 0 ? types : implied } };
}

/** Returns the conversion of slices that converts each of their endpoints. */
function withEndpoints(convertEndpoint: (endpoint: JsonObject) => JsonObject): ConvertMembers {
  return (slice) => {
    const endpoints = slice["endpoints"];
    return Array.isArray(endpoints)
      ? { ...slice, endpoints: endpoints.map((endpoint) => convertEndpoint(objectAt(endpoint))) }
      : slice;
  };
}

function endpointFromBeta1(endpoint: JsonObject): JsonObject {
  const { topology: _topology, ...rest } = endpoint;
  const topology = { ...objectAt(endpoint, "topology") };
  const zone = topology[zoneLabel];
  delete topology[zoneLabel];
  if (topology[hostnameLabel] === endpoint["nodeName"]) {
    delete topology[hostnameLabel];
  }
  return present({
    ...rest,
    deprecatedTopology: Object.keys(topology).length === 0 ? undefined : topology,
    zone,
  });
}

function endpointToBeta1(endpoint: JsonObject): JsonObject {
  const { deprecatedTopology: _topology, zone, nodeName, ...rest } = endpoint;
  const topology: JsonObject = { ...objectAt(endpoint, "deprecatedTopology") };
  if (zone !== undefined && zone !== null) {
    topology[zoneLabel] = zone;
  }
  if (nodeName !== undefined && nodeName !== null && (topology[hostnameLabel] ?? "") === "") {
    topology[hostnameLabel] = nodeName;
  }
  return present({ ...rest, nodeName, topology: Object.keys(topology).length === 0 ? undefined : topology });
}
