import type { JsonObject } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import type { ServedResource } from "../../registry/served-resource.js";
import type { RequestContext } from "../../request/request-context.js";
import { patchTypeOf, patchTypesOf, readPatch } from "../body/patch-document.js";
import { objectRepresentation, triedUnlessShown } from "../respond.js";
import type { VerbEnvironment } from "../verb-environment.js";
import { parseWriteOptions } from "../write-options.js";
import { apply } from "./apply.js";
import { checkName, checkNamespace } from "./check-identity.js";
import { fillDefaults } from "./fill-defaults.js";
import { respondWithOutcome, updateObject } from "./update.js";

/** Handles PATCH of an object or of one of its object-typed subresources. */
export async function patch(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
): Promise<void> {
  if (patchTypeOf(context, patchTypesOf(served)) === mediaTypes.applyPatch) {
    return apply(environment, context, served);
  }
  const representation = objectRepresentation(context, served);
  const options = triedUnlessShown(
    context,
    representation,
    "PartialObjectMetadataList",
    parseWriteOptions(context.query, "PatchOptions"),
  );
  const document = await readPatch(context, options.fieldValidation, patchTypesOf(served));
  const outcome = await updateObject(environment, context, served, {
    subresource: context.info.subresource,
    revise: async (old) => {
      const patched = await document.applyTo(old as JsonObject, served);
      checkNamespace(patched, served, context.info.namespace);
      checkName(patched, context.info.name);
      await context.yieldIfLarge();
      await fillDefaults(environment, context, served, patched);
      return patched;
    },
    options,
    createWhenMissing: false,
  });
  await respondWithOutcome(context, served, outcome, representation);
}
