import type { SelectableField } from "@gatehouse/apiserver/registry";
import { textAt } from "@gatehouse/envelopes/json";

/** The selectable field `spec.signerName`, by which signers find their objects. */
export const signerNameField: Readonly<Record<string, SelectableField>> = {
  "spec.signerName": (object) => textAt(object, "spec", "signerName"),
};
