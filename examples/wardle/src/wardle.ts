import type { ExtensionProgram } from "@gatehouse/apiserver/extension";
import { banFlunder } from "./ban-flunder.js";
import { fischers } from "./fischer.js";
import { flunders } from "./flunder.js";

/** The API server of wardle.example.com, as it is started in any place. */
export const wardle: ExtensionProgram = {
  name: "wardle",
  groups: [{ name: "wardle.example.com", versions: ["v1beta1", "v1alpha1"], resources: [...flunders, ...fischers] }],
  apiInfo: { title: "Wardle", version: "0.1" },
  keyPrefix: "/registry/wardle.example.com/",
  admissionPlugins: [banFlunder],
};
