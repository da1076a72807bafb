import type { AdmissionPlugin } from "../admission-plugin.js";
import type { AdmissionAttributes } from "../attributes.js";
import { refusal } from "../refusal.js";

/** AlwaysDeny: refuses every write, for tests of clients. */
export function alwaysDeny(): AdmissionPlugin {
  const deny = (attributes: AdmissionAttributes): never => {
    throw refusal(attributes, "admission control is denying all modifications");
  };
  return { name: "AlwaysDeny", admit: deny, validate: deny };
}
