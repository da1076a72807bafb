import type { KindRules } from "@gatehouse/apiserver/registry";
import {
  checkFormat,
  checkOrdinaryIp,
  checkRequiredSupported,
  type FieldErrors,
  FieldPath,
  ipProblems,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, type JsonValue, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { checkDns1123Label, checkQualifiedName, checkSubdomainName } from "@gatehouse/envelopes/validation";
import { checkPortNumber, portProtocols } from "../../../validation/ports.js";

/** Rules of Endpoints: subsets of addresses with common ports. */
export const endpointsRules: KindRules = {
  create: checkSubsets,
  update: (endpoints, _old, errors) => checkSubsets(endpoints, errors),
};

function checkSubsets(endpoints: JsonObject, errors: FieldErrors): void {
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
        checkAddress(address, path.child(member).index(at), errors);
      }
    }
    const ports = listAt(subset, "ports");
    for (const [at, port] of ports.entries()) {
      if (errors.isFull) {
        return;
      }
      checkPort(port, ports.length > 1, path.child("ports").index(at), errors);
    }
  }
}

function checkAddress(address: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const ip = textAt(address, "ip");
  checkFormat(ip, ipProblems, path.child("ip"), errors);
  const hostname = textAt(address, "hostname");
  if (hostname !== "") {
    checkFormat(hostname, checkDns1123Label, path.child("hostname"), errors);
  }
  if (isSet(address, "nodeName")) {
    checkFormat(textAt(address, "nodeName"), checkSubdomainName, path.child("nodeName"), errors);
  }
  checkOrdinaryIp(ip, path.child("ip"), errors);
}

/** Validates a port, which needs a name if it is one of several. */
function checkPort(port: JsonValue, needsName: boolean, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(port, "name");
  if (name !== "") {
    checkFormat(name, checkDns1123Label, path.child("name"), errors);
  } else if (needsName) {
    errors.required(path.child("name"));
  }
  checkPortNumber(valueAt(port, "port"), path.child("port"), errors);
  checkRequiredSupported(textAt(port, "protocol"), portProtocols, path.child("protocol"), errors);
  if (isSet(port, "appProtocol")) {
    checkFormat(textAt(port, "appProtocol"), checkQualifiedName, path.child("appProtocol"), errors);
  }
}
