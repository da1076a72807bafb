import type { SelectableField } from "../../catalogue/resource-definition.js";
import { textAt } from "../../objects/json-fields.js";

/** The field `spec.signerName`, by which signers select what is meant for them. */
export const signerNameField: Readonly<Record<string, SelectableField>> = {
  "spec.signerName": (object) => textAt(object, "spec", "signerName"),
};
