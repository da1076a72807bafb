import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, hasBothFamilies, parseCidr } from "@gatehouse/apiserver/validation";
import { goLiteral, goQuote, goTexts } from "@gatehouse/envelopes/go";
import { type JsonObject, listAt, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import { validateResourceQuantity } from "../../../validation/resource-quantity.js";
import { validateNodeAnnotations } from "./annotations.js";
import { validateTaints } from "./taints.js";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");
const podCidrsPath = specPath.child("podCIDRs");
/** The path that v1.29 uses for taints. */
const taintsPath = FieldPath.of("metadata").child("taints");

/** Rules of Node: taints, resources, and ranges of pod addresses. */
export const nodeValidation: KindValidation = {
  create: validateNode,
  update(node, old, errors) {
    errors.recheckMetadata("object");
    validateNode(node, errors);
    validateUpdate(node, old, errors);
  },
  subresources: { status: validateUpdate },
};

function validateNode(node: JsonObject, errors: FieldErrors): void {
  validateNodeAnnotations(node, errors);
  validateTaints(listAt(node, "spec", "taints"), taintsPath, errors);
  validateResources(node, errors);
  validatePodCidrs(textsAt(node, "spec", "podCIDRs"), errors);
}

function validateResources(node: JsonObject, errors: FieldErrors): void {
  for (const member of ["capacity", "allocatable"]) {
    const amounts = objectAt(node, "status", member);
    for (const resource of Object.keys(amounts)) {
      if (errors.isFull) {
        return;
      }
      validateResourceQuantity(resource, amounts, statusPath.child(member).child(resource), errors);
    }
  }
}

/** Validates the ranges of pod addresses: one, or one for each family. */
function validatePodCidrs(cidrs: readonly string[], errors: FieldErrors): void {
  const shown = (): string => goTexts("string", [...cidrs]);
  const ranges = cidrs.map(parseCidr);
  for (const [index, range] of ranges.entries()) {
    if (range === undefined && !errors.isFull) {
      errors.invalidShown(podCidrsPath.index(index), shown(), "must be valid CIDR");
    }
  }
  if (cidrs.length < 2) {
    return;
  }
  const bad = ranges.indexOf(undefined);
  const known = ranges.flatMap((range) => range ?? []);
  if (bad >= 0) {
    const cidr = cidrs[bad] ?? "";
    const cause = `invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${cidr})`;
    errors.internal(podCidrsPath, `invalid PodCIDRs. failed to check with dual stack with error:${cause}`);
  }
  if (bad >= 0 || !hasBothFamilies(known) || cidrs.length > 2) {
    errors.invalidShown(podCidrsPath, shown(), "may specify no more than one CIDR for each IP family");
  }
  const seen = new Set<string>();
  for (const [index, cidr] of cidrs.entries()) {
    if (seen.has(cidr) && !errors.isFull) {
      errors.duplicate(podCidrsPath.index(index), cidr);
    }
    seen.add(cidr);
  }
}

/** Validates an update: pod address ranges and provider ID do not change once they are set. */
function validateUpdate(node: JsonObject, old: JsonObject, errors: FieldErrors): void {
  errors.recheckMetadata("change");
  validateNodeAnnotations(node, errors);
  validateResources(node, errors);
  validateAddresses(node, errors);
  validatePodCidrsUpdate(textsAt(node, "spec", "podCIDRs"), textsAt(old, "spec", "podCIDRs"), errors);
  const oldProvider = textAt(old, "spec", "providerID");
  if (oldProvider !== "" && oldProvider !== textAt(node, "spec", "providerID")) {
    const detail = 'node updates may not change providerID except from "" to valid';
    errors.forbidden(specPath.child("providerID"), detail);
  }
  validateTaints(listAt(node, "spec", "taints"), taintsPath, errors);
  if (textAt(node, "spec", "externalID") !== textAt(old, "spec", "externalID")) {
    errors.forbidden(specPath.child("externalID"), "may not be updated");
  }
}

function validateAddresses(node: JsonObject, errors: FieldErrors): void {
  const known = new Set<string>();
  for (const [index, item] of listAt(node, "status", "addresses").entries()) {
    if (errors.isFull) {
      return;
    }
    const address = goLiteral("core.NodeAddress", {
      Type: goQuote(textAt(item, "type")),
      Address: goQuote(textAt(item, "address")),
    });
    if (known.has(address)) {
      errors.duplicateShown(statusPath.child("addresses").index(index), address);
    }
    known.add(address);
  }
}

function validatePodCidrsUpdate(now: readonly string[], before: readonly string[], errors: FieldErrors): void {
  if (before.length === 0) {
    return;
  }
  const changes = now.length === before.length ? before.filter((cidr, index) => cidr !== now[index]).length : 1;
  for (let count = 0; count < changes && !errors.isFull; count++) {
    errors.forbidden(podCidrsPath, 'node updates may not change podCIDR except from "" to valid');
  }
}
