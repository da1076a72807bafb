import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  isStrictlyInside,
  isValidLabelSelector,
  type LabelSelectorOptions,
  parseCidr,
  validateFormat,
  validateLabelSelector,
} from "@gatehouse/apiserver/validation";
import { goTexts } from "@gatehouse/envelopes/go";
import {
  integerAt,
  isSet,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  textsAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { portNameProblems, validatePortNumber } from "../../../validation/ports.js";

const specPath = FieldPath.of("spec");
const protocols = ["TCP", "UDP", "SCTP"];
const policyTypes = ["Ingress", "Egress"];

/** Rules of NetworkPolicy: peers and ports of the traffic to and from the selected pods. */
export const networkPolicyValidation: KindValidation = {
  create: (policy, errors) => validateSpec(objectAt(policy, "spec"), errors, {}),
  update(policy, old, errors) {
    const options = { allowInvalidValues: !isValidLabelSelector(valueAt(old, "spec", "podSelector")) };
    // v1.29 validates the spec twice.
    errors.recheckMetadata("object");
    validateSpec(objectAt(policy, "spec"), errors, options);
    errors.recheckMetadata("change");
    validateSpec(objectAt(policy, "spec"), errors, options);
  },
};

function validateSpec(spec: JsonObject, errors: FieldErrors, options: LabelSelectorOptions): void {
  validateLabelSelector(objectAt(spec, "podSelector"), specPath.child("podSelector"), errors, options);
  for (const [direction, peers] of [
    ["ingress", "from"],
    ["egress", "to"],
  ] as const) {
    for (const [index, rule] of listAt(spec, direction).entries()) {
      validateRule(rule, peers, specPath.child(direction).index(index), errors, options);
    }
  }
  validateTypes(spec, errors);
}

function validateRule(
  rule: JsonValue,
  peers: "from" | "to",
  path: FieldPath,
  errors: FieldErrors,
  options: LabelSelectorOptions,
): void {
  for (const [index, port] of listAt(rule, "ports").entries()) {
    if (errors.isFull) {
      return;
    }
    validatePort(objectAt(port), path.child("ports").index(index), errors);
  }
  for (const [index, peer] of listAt(rule, peers).entries()) {
    if (errors.isFull) {
      return;
    }
    validatePeer(objectAt(peer), path.child(peers).index(index), errors, options);
  }
}

function validateTypes(spec: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("policyTypes");
  const types = textsAt(spec, "policyTypes");
  if (types.length > policyTypes.length) {
    const shown = goTexts("networking.PolicyType", types);
    errors.invalidShown(path, shown, "may not specify more than two policyTypes");
    return;
  }
  for (const [index, type] of types.entries()) {
    if (!policyTypes.includes(type)) {
      errors.notSupported(path.index(index), type, policyTypes);
    }
  }
}

function validatePort(item: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (isSet(item, "protocol") && !protocols.includes(textAt(item, "protocol"))) {
    errors.notSupported(path.child("protocol"), textAt(item, "protocol"), protocols);
  }
  const port = item["port"] ?? undefined;
  const endPort = isSet(item, "endPort") ? integerAt(item, "endPort") : undefined;
  const endPath = path.child("endPort");
  if (typeof port === "string" || port === undefined) {
    if (endPort !== undefined) {
      const state = port === undefined ? "not specified" : "non-numeric";
      errors.invalid(endPath, endPort, `may not be specified when \`port\` is ${state}`);
    }
    if (port !== undefined) {
      validateFormat(port, portNameProblems, path.child("port"), errors);
    }
    return;
  }
  validatePortNumber(port, path.child("port"), errors);
  if (endPort !== undefined) {
    if (endPort < Number(port)) {
      // v1.29 shows the port where the range begins.
      errors.invalid(endPath, port, "must be greater than or equal to `port`");
    }
    validatePortNumber(endPort, endPath, errors);
  }
}

/** Validates a peer: pods, namespaces, or addresses. */
function validatePeer(peer: JsonObject, path: FieldPath, errors: FieldErrors, options: LabelSelectorOptions): void {
  validateLabelSelector(peer["podSelector"], path.child("podSelector"), errors, options);
  validateLabelSelector(peer["namespaceSelector"], path.child("namespaceSelector"), errors, options);
  const hasIpBlock = isSet(peer, "ipBlock");
  if (hasIpBlock) {
    validateIpBlock(objectAt(peer, "ipBlock"), path.child("ipBlock"), errors);
  }
  const hasSelector = isSet(peer, "podSelector") || isSet(peer, "namespaceSelector");
  if (!hasSelector && !hasIpBlock) {
    errors.required(path, "must specify a peer");
  } else if (hasSelector && hasIpBlock) {
    errors.forbidden(path, "may not specify both ipBlock and another peer");
  }
}

/** Validates a range of addresses, and the smaller ranges that are excepted from it. */
function validateIpBlock(block: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const text = textAt(block, "cidr");
  if (text === "") {
    errors.required(path.child("cidr"));
    return;
  }
  const range = parseCidr(text);
  if (range === undefined) {
    errors.invalid(path.child("cidr"), text, "not a valid CIDR");
    return;
  }
  for (const [index, except] of textsAt(block, "except").entries()) {
    const exceptRange = parseCidr(except);
    const at = path.child("except").index(index);
    if (exceptRange === undefined) {
      errors.invalid(at, except, "not a valid CIDR");
      return;
    }
    if (!isStrictlyInside(exceptRange, range)) {
      errors.invalid(at, except, "must be a strict subset of `cidr`");
    }
    if (errors.isFull) {
      return;
    }
  }
}
