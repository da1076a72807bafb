import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonObject, listAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import { validateUniqueNodes } from "../validation/unique-nodes.js";

const potentialNodes = FieldPath.of("spec").child("potentialNodes");
// v1.29's name of `status.resourceClaims`.
const claims = FieldPath.of("status").child("claims");

/** Rules of PodSchedulingContext. v1.29 lists every error of an update twice. */
export const podSchedulingContextValidation: KindValidation = {
  create: validateSpec,
  update(context, _old, errors) {
    errors.recheckMetadata("object");
    validateSpec(context, errors);
    errors.recheckMetadata("change");
    errors.recheckMetadata("object");
    validateSpec(context, errors);
  },
  subresources: {
    status(context, _old, errors) {
      errors.recheckMetadata("change");
      validateStatus(context, errors);
    },
  },
};

function validateSpec(context: JsonObject, errors: FieldErrors): void {
  validateUniqueNodes(textsAt(context, "spec", "potentialNodes"), potentialNodes, errors);
}

function validateStatus(context: JsonObject, errors: FieldErrors): void {
  const names = new Set<string>();
  for (const [index, claim] of listAt(context, "status", "resourceClaims").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = claims.index(index);
    validateUniqueNodes(textsAt(claim, "unsuitableNodes"), path.child("unsuitableNodes"), errors);
    const name = textAt(claim, "name");
    if (names.has(name)) {
      errors.duplicate(path, name);
    }
    names.add(name);
  }
}
