import type { JsonObject } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { patchTypeOf, patchTypesOf, readPatch } from "../body/patch-document.js";
import type { RequestScope } from "../request-scope.js";
import { parsePatchOptions } from "../write-options.js";
import { apply } from "./apply.js";
import { beginWrite } from "./begin-write.js";
import { checkIdentity } from "./check-identity.js";
import { fillDefaults } from "./fill-defaults.js";
import { respondWithOutcome, updateObject } from "./update.js";

/** Handles PATCH of an object or of one of its object-typed subresources. */
export async function patch(scope: RequestScope): Promise<void> {
  const { context, served } = scope;
  if (patchTypeOf(context, patchTypesOf(served)) === mediaTypes.applyPatch) {
    return apply(scope);
  }
  const { representation, options } = beginWrite(context, served, parsePatchOptions);
  const document = await readPatch(context, options.fieldValidation, patchTypesOf(served));
  const outcome = await updateObject(scope, {
    subresource: context.info.subresource,
    revise: async (old) => {
      const patched = await document.applyTo(old as JsonObject, served);
      checkIdentity(patched, scope);
      await context.yieldIfLarge();
      await fillDefaults(scope, patched);
      return patched;
    },
    options,
    createWhenMissing: false,
  });
  await respondWithOutcome(scope, outcome, representation);
}
