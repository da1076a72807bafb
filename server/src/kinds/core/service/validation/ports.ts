import {
  type FieldErrors,
  FieldPath,
  validateFormat,
  validateRequiredSupported,
} from "@gatehouse/apiserver/validation";
import { goLiteral, goPointer, goQuote } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateDns1123Label, validateQualifiedName } from "@gatehouse/envelopes/validation";
import { portProtocols, validatePortNumber, validatePortNumberOrName } from "../../../../validation/ports.js";
import { nodePortOf, portsOf } from "../service-fields.js";

const portsPath = FieldPath.of("spec").child("ports");

/** Validates each port by itself. Several ports need names, no two of them equal. */
export function validatePorts(spec: JsonObject, errors: FieldErrors): void {
  const ports = portsOf(spec);
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    if (errors.isFull) {
      return;
    }
    const path = portsPath.index(index);
    const name = textAt(port, "name");
    if (name !== "") {
      validateFormat(name, validateDns1123Label, path.child("name"), errors);
      if (names.has(name)) {
        errors.duplicate(path.child("name"), name);
      }
      names.add(name);
    } else if (ports.length > 1) {
      errors.required(path.child("name"));
    }
    validatePortNumber(port["port"], path.child("port"), errors);
    validateRequiredSupported(textAt(port, "protocol"), portProtocols, path.child("protocol"), errors);
    validatePortNumberOrName(port["targetPort"], path.child("targetPort"), errors);
    if (isSet(port, "appProtocol")) {
      validateFormat(textAt(port, "appProtocol"), validateQualifiedName, path.child("appProtocol"), errors);
    }
  }
}

/** Validates that no port has a node port. */
export function validateNoNodePorts(spec: JsonObject, errors: FieldErrors): void {
  for (const [index, port] of portsOf(spec).entries()) {
    if (nodePortOf(port) !== 0 && !errors.isFull) {
      errors.forbidden(portsPath.index(index).child("nodePort"), "may not be used when `type` is 'ClusterIP'");
    }
  }
}

/** Validates that no two ports of one protocol are equal, on nodes and at the address of the service. */
export function validatePortsAreUnique(spec: JsonObject, errors: FieldErrors): void {
  const nodePorts = new Set<string>();
  for (const [index, port] of portsOf(spec).entries()) {
    const nodePort = nodePortOf(port);
    const key = `${nodePort} ${textAt(port, "protocol")}`;
    if (nodePort !== 0 && nodePorts.has(key) && !errors.isFull) {
      errors.duplicate(portsPath.index(index).child("nodePort"), nodePort);
    }
    nodePorts.add(key);
  }
  const ports = new Set<string>();
  for (const [index, port] of portsOf(spec).entries()) {
    const key = goPortKey(port);
    if (ports.has(key) && !errors.isFull) {
      errors.duplicateShown(portsPath.index(index), key);
    }
    ports.add(key);
  }
}

/** Returns the Go syntax of a port with all but two members left out, which v1.29 compares and shows. */
function goPortKey(port: JsonObject): string {
  return goLiteral("core.ServicePort", {
    Name: '""',
    Protocol: goQuote(textAt(port, "protocol")),
    AppProtocol: goPointer("string", undefined),
    Port: String(valueAt(port, "port") ?? 0),
    TargetPort: goLiteral("intstr.IntOrString", { Type: "0", IntVal: "0", StrVal: '""' }),
    NodePort: "0",
  });
}
