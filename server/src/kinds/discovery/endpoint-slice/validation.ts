import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  parseIp,
  validateFormat,
  validateFullyQualifiedDomainName,
  validateImmutable,
  validateLabels,
  validateOrdinaryIp,
  validateRequiredSupported,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import {
  validateDns1123Label,
  validateLabelValue,
  validateQualifiedName,
  validateSubdomainName,
} from "@gatehouse/envelopes/validation";
import { portProtocols } from "../../../validation/ports.js";

const endpointsPath = FieldPath.of("endpoints");
const portsPath = FieldPath.of("ports");
const addressTypePath = FieldPath.of("addressType");

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxTopologyLabels = 16;
const maxZoneHints = 8;

/** Rules of EndpointSlice: addresses, all of one type, and ports. */
export const endpointSliceValidation: KindValidation = {
  create: validateEndpointSlice,
  update(slice, old, errors) {
    validateEndpointSlice(slice, errors);
    validateImmutable(textAt(slice, "addressType"), textAt(old, "addressType"), addressTypePath, errors);
  },
};

function validateEndpointSlice(slice: JsonObject, errors: FieldErrors): void {
  const addressType = textAt(slice, "addressType");
  validateRequiredSupported(addressType, ["FQDN", "IPv4", "IPv6"], addressTypePath, errors);
  const endpoints = listAt(slice, "endpoints");
  if (endpoints.length > maxEndpoints) {
    errors.tooMany(endpointsPath, endpoints.length, maxEndpoints);
  } else {
    for (const [index, endpoint] of endpoints.entries()) {
      validateEndpoint(endpoint, addressType, endpointsPath.index(index), errors);
    }
  }
  validatePorts(slice, errors);
}

function validateEndpoint(endpoint: JsonValue, addressType: string, path: FieldPath, errors: FieldErrors): void {
  validateAddresses(textsAt(endpoint, "addresses"), addressType, path.child("addresses"), errors);
  if (isSet(endpoint, "nodeName")) {
    validateFormat(textAt(endpoint, "nodeName"), validateSubdomainName, path.child("nodeName"), errors);
  }
  const topology = objectAt(endpoint, "deprecatedTopology");
  const labels = Object.keys(topology).length;
  if (labels > maxTopologyLabels) {
    errors.tooMany(path.child("deprecatedTopology"), labels, maxTopologyLabels);
  }
  validateLabels(topology, path.child("deprecatedTopology"), errors);
  if (isSet(endpoint, "hostname")) {
    validateFormat(textAt(endpoint, "hostname"), validateDns1123Label, path.child("hostname"), errors);
  }
  validateHints(listAt(endpoint, "hints", "forZones"), path.child("hints").child("forZones"), errors);
}

function validateAddresses(
  addresses: readonly string[],
  addressType: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (addresses.length === 0) {
    errors.required(path, "must contain at least 1 address");
  } else if (addresses.length > maxAddresses) {
    errors.tooMany(path, addresses.length, maxAddresses);
  }
  for (const [index, address] of addresses.entries()) {
    if (errors.isFull) {
      return;
    }
    validateAddress(address, addressType, path.index(index), errors);
  }
}

/** Validates an address by its type; any address of an unknown type is valid. */
function validateAddress(address: string, addressType: string, path: FieldPath, errors: FieldErrors): void {
  if (addressType === "FQDN") {
    validateFullyQualifiedDomainName(address, path, errors);
  } else if (addressType === "IPv4" || addressType === "IPv6") {
    if (parseIp(address)?.family !== addressType) {
      errors.invalid(path, address, `must be a valid ${addressType} address`);
    }
    validateOrdinaryIp(address, path, errors);
  }
}

function validateHints(zones: readonly JsonValue[], path: FieldPath, errors: FieldErrors): void {
  if (zones.length > maxZoneHints) {
    errors.tooMany(path, zones.length, maxZoneHints);
    return;
  }
  const names = new Set<string>();
  for (const [index, zone] of zones.entries()) {
    const name = textAt(zone, "name");
    const at = path.index(index).child("name");
    if (names.has(name)) {
      errors.duplicate(at, name);
    }
    names.add(name);
    validateFormat(name, validateLabelValue, at, errors);
  }
}

function validatePorts(slice: JsonObject, errors: FieldErrors): void {
  const ports = listAt(slice, "ports");
  if (ports.length > maxPorts) {
    errors.tooMany(portsPath, ports.length, maxPorts);
    return;
  }
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    if (errors.isFull) {
      return;
    }
    const path = portsPath.index(index);
    const name = textAt(port, "name");
    if (name !== "") {
      validateFormat(name, validateDns1123Label, path.child("name"), errors);
    }
    if (names.has(name)) {
      errors.duplicate(path.child("name"), name);
    }
    names.add(name);
    if (!isSet(port, "protocol")) {
      errors.required(path.child("protocol"));
    } else if (!portProtocols.includes(textAt(port, "protocol"))) {
      errors.notSupported(path.child("protocol"), textAt(port, "protocol"), portProtocols);
    }
    if (isSet(port, "appProtocol")) {
      validateFormat(textAt(port, "appProtocol"), validateQualifiedName, path.child("appProtocol"), errors);
    }
  }
}
