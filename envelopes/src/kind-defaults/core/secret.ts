import { type DefaultingFunctions, inPackage } from "../../defaults/defaulting-function.js";
import { isJsonObject } from "../../json/json.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of Secret: `stringData` becomes part of `data`. */
export const secretDefaults: DefaultingFunctions = inPackage("k8s.io.api.core.v1", {
  /** Writes `stringData` into `data`, over values that are there. */
  Secret(secret) {
    const { stringData } = secret;
    if (isJsonObject(stringData)) {
      for (const [key, text] of Object.entries(stringData)) {
        ownObject(secret, "data")[key] = Buffer.from(String(text)).toString("base64");
      }
    }
    delete secret["stringData"];
  },
});
