import { type JsonObject, type JsonValue, objectAt } from "@gatehouse/envelopes/json";
import { fractionalBytes } from "../../fractional-bytes.js";
import { storageClassAnnotationWarnings } from "../storage-class-annotation.js";

/** Returns the warnings about a claim. */
export function persistentVolumeClaimWarnings(claim: JsonObject): readonly string[] {
  return [...storageClassAnnotationWarnings(claim), ...claimSpecWarnings(claim["spec"], "spec")];
}

/** Returns the warnings about the spec of a claim, or of a template of one, at `path`. */
export function claimSpecWarnings(spec: JsonValue | undefined, path: string): readonly string[] {
  return ["requests", "limits"].flatMap((member) =>
    fractionalBytes(objectAt(spec, "resources", member), `${path}.resources.${member}`, "storage"),
  );
}
