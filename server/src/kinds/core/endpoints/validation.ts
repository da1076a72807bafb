import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  ipProblems,
  validateFormat,
  validateOrdinaryIp,
  validateRequiredSupported,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, type JsonValue, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateDns1123Label, validateQualifiedName, validateSubdomainName } from "@gatehouse/envelopes/validation";
import { portProtocols, validatePortNumber } from "../../../validation/ports.js";

/** Rules of Endpoints: subsets of addresses with common ports. */
export const endpointsValidation: KindValidation = {
  create: validateSubsets,
  update: (endpoints, _old, errors) => validateSubsets(endpoints, errors),
};

function validateSubsets(endpoints: JsonObject, errors: FieldErrors): void {
  for (const [index, subset] of listAt(endpoints, "subsets").entries()) {
    const path = FieldPath.of("subsets").index(index);
    if (listAt(subset, "addresses").length === 0 && listAt(subset, "notReadyAddresses").length === 0) {
      errors.required(path, "must specify `addresses` or `notReadyAddresses`");
    }
    for (const member of ["addresses", "notReadyAddresses"]) {
      for (const [at, address] of listAt(subset, member).entries()) {
        if (errors.isFull) {
          return;
        }
        validateAddress(address, path.child(member).index(at), errors);
      }
    }
    const ports = listAt(subset, "ports");
    for (const [at, port] of ports.entries()) {
      if (errors.isFull) {
        return;
      }
      validatePort(port, ports.length > 1, path.child("ports").index(at), errors);
    }
  }
}

function validateAddress(address: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const ip = textAt(address, "ip");
  validateFormat(ip, ipProblems, path.child("ip"), errors);
  const hostname = textAt(address, "hostname");
  if (hostname !== "") {
    validateFormat(hostname, validateDns1123Label, path.child("hostname"), errors);
  }
  if (isSet(address, "nodeName")) {
    validateFormat(textAt(address, "nodeName"), validateSubdomainName, path.child("nodeName"), errors);
  }
  validateOrdinaryIp(ip, path.child("ip"), errors);
}

/** Validates a port, which needs a name if it is one of several. */
function validatePort(port: JsonValue, needsName: boolean, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(port, "name");
  if (name !== "") {
    validateFormat(name, validateDns1123Label, path.child("name"), errors);
  } else if (needsName) {
    errors.required(path.child("name"));
  }
  validatePortNumber(valueAt(port, "port"), path.child("port"), errors);
  validateRequiredSupported(textAt(port, "protocol"), portProtocols, path.child("protocol"), errors);
  if (isSet(port, "appProtocol")) {
    validateFormat(textAt(port, "appProtocol"), validateQualifiedName, path.child("appProtocol"), errors);
  }
}
