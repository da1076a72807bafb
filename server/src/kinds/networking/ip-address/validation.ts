import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  immutable,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { goLiteral, goQuote, isSamePointer } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1123Subdomain, validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { parseIpAddress } from "../../ip-text.js";

const parentPath = FieldPath.of("spec").child("parentRef");

/** Rules of IPAddress, whose parent does not change. */
export const ipAddressValidation: KindValidation = {
  create: validateIpAddress,
  update(ipAddress, old, errors) {
    errors.recheckMetadata("object");
    validateIpAddress(ipAddress, errors);
    errors.recheckMetadata("change");
    const parent = objectAt(ipAddress, "spec")["parentRef"];
    if (!isSamePointer(parent, objectAt(old, "spec")["parentRef"])) {
      const isThere = isSet(ipAddress, "spec", "parentRef");
      errors.invalidShown(parentPath, isThere ? goParent(objectAt(parent)) : goQuote("null"), immutable);
    }
  },
};

function validateIpAddress(ipAddress: JsonObject, errors: FieldErrors): void {
  if (!isSet(ipAddress, "spec", "parentRef")) {
    errors.required(parentPath);
    return;
  }
  const parent = objectAt(ipAddress, "spec", "parentRef");
  const group = textAt(parent, "group");
  if (group !== "") {
    validateFormat(group, validateDns1123Subdomain, parentPath.child("group"), errors);
  }
  for (const member of ["resource", "name"]) {
    const text = textAt(parent, member);
    if (validateRequiredText(text, parentPath.child(member), errors)) {
      validateFormat(text, validatePathSegmentName, parentPath.child(member), errors);
    }
  }
  const namespace = textAt(parent, "namespace");
  if (namespace !== "") {
    validateFormat(namespace, validatePathSegmentName, parentPath.child("namespace"), errors);
  }
}

/** Returns the problems of a name, which is the address itself, so that no two objects have the same address. */
export function validateIpAddressName(name: string): string[] {
  const address = parseIpAddress(name);
  if ("problem" in address) {
    return [address.problem];
  }
  // A zone is part of an address, but not of a path.
  return address.text === name ? validatePathSegmentName(name) : ["must be a canonical format IP address"];
}

function goParent(parent: JsonObject): string {
  return goLiteral("networking.ParentReference", {
    Group: goQuote(textAt(parent, "group")),
    Resource: goQuote(textAt(parent, "resource")),
    Namespace: goQuote(textAt(parent, "namespace")),
    Name: goQuote(textAt(parent, "name")),
  });
}
