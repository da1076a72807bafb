import type { SelectableField } from "../../catalogue/resource-definition.js";
import { textAt } from "../../objects/json-fields.js";

export const signerNameField: Readonly<Record<string, SelectableField>> = {
  "spec.signerName": (object) => textAt(object, "spec", "signerName"),
};
