import type { JsonObject } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { badRequest } from "@gatehouse/envelopes/status";
import { patchTypeOf, readPatch } from "../body/patch-document.js";
import { missingVersion, statedGroupVersion } from "../body/stated-kind.js";
import type { RequestScope } from "../request-scope.js";
import { offerOf } from "../respond.js";
import { parsePatchOptions } from "../write-options.js";
import { apply } from "./apply.js";
import { beginWrite } from "./begin-write.js";
import { checkIdentity } from "./check-identity.js";
import { fillDefaults } from "./fill-defaults.js";
import { respondWithOutcome, updateObject } from "./update.js";

/** Handles PATCH of an object or of one of its object-typed subresources. */
export async function patch(scope: RequestScope): Promise<void> {
  const { context, served } = scope;
  if (patchTypeOf(context, served.form.patchTypes) === mediaTypes.applyPatch) {
    return apply(scope);
  }
  const { representation, options } = beginWrite(context, offerOf(served, context), parsePatchOptions);
  const document = await readPatch(context, options.fieldValidation, served.form.patchTypes);
  const outcome = await updateObject(scope, {
    subresource: context.info.subresource,
    revise: async (old) => {
      const patched = await document.applyTo(old as JsonObject, served);
      checkIdentity(patched, scope);
      checkVersion(patched);
      await context.yieldIfLarge();
      await fillDefaults(scope, patched);
      return patched;
    },
    options,
    createWhenMissing: false,
  });
  await respondWithOutcome(scope, outcome, representation);
}

/** Throws 400 for a custom object whose version a patch has removed. v1.29 says the same with 500 (decisions/0008). */
function checkVersion(patched: JsonObject): void {
  if (statedGroupVersion(patched).version === "") {
    throw badRequest(missingVersion);
  }
}
