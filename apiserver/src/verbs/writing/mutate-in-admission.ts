import type { AdmissionAttributes } from "../../admission/attributes.js";
import { FieldsError } from "../../managed-fields/fields-error.js";
import { readManagers } from "../../managed-fields/managers.js";
import { metaOf } from "../../objects/object-meta.js";
import type { MaybePromise } from "../../request/handler.js";
import type { VerbEnvironment } from "../verb-environment.js";

/**
 * Runs the mutating phase of a write. When a plugin leaves managedFields that cannot be read, the former ones are kept
 * and the client is warned; fields that plugins change belong to no manager.
 */
export function mutateInAdmission(
  { admission }: Pick<VerbEnvironment, "admission">,
  attributes: AdmissionAttributes,
): MaybePromise<void> {
  const { object } = attributes;
  if (object === undefined) {
    return admission.mutate(attributes);
  }
  const before = metaOf(object)["managedFields"];
  const restore = (): void => {
    if (attributes.isChanged) {
      restoreManagers(attributes, before);
    }
  };
  const mutation = admission.mutate(attributes);
  return mutation === undefined ? restore() : mutation.then(restore);
}

function restoreManagers(attributes: AdmissionAttributes, before: unknown): void {
  const meta = metaOf(attributes.object ?? {});
  const after = meta["managedFields"];
  if (after === before) {
    return;
  }
  try {
    readManagers(after, "client");
  } catch (error) {
    if (!(error instanceof FieldsError)) {
      throw error;
    }
    delete meta["managedFields"];
    if (before !== undefined) {
      meta["managedFields"] = before as NonNullable<typeof after>;
    }
    attributes.warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    );
  }
}
