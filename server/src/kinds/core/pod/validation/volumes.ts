import {
  type FieldErrors,
  type FieldPath,
  validateLabelText,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { goSyntax } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";
import type { PodOptions } from "./pod-options.js";
import { validateVolumeSource } from "./volume-source.js";

/**
 * Validates the volumes of a pod and returns the valid ones by name. `podName` is empty if unknown; the names of
 * ephemeral claims begin with it.
 */
export function validateVolumes(
  spec: JsonObject,
  podName: string,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): ReadonlyMap<string, JsonObject> {
  const volumes = listAt(spec, "volumes") as readonly JsonObject[];
  const byName = new Map<string, JsonObject>();
  if (volumes.length === 0) {
    return byName;
  }
  const claims = claimsMadeFor(volumes, podName);
  for (const [index, volume] of volumes.entries()) {
    if (errors.isFull) {
      break;
    }
    const at = path.index(index);
    const before = errors.list.length;
    validateVolumeSource(volume, podName, at, errors, options);
    const name = textAt(volume, "name");
    if (validateRequiredText(name, at.child("name"), errors)) {
      validateLabelText(name, at.child("name"), errors);
    }
    if (byName.has(name)) {
      errors.duplicate(at.child("name"), name);
    }
    if (errors.list.length === before) {
      byName.set(name, volume);
    }
    const claim = textAt(volume, "persistentVolumeClaim", "claimName");
    if (isSet(volume, "persistentVolumeClaim") && claims.has(claim)) {
      errors.invalid(
        at.child("persistentVolumeClaim").child("claimName"),
        claim,
        "must not reference a PVC that gets created for an ephemeral volume",
      );
    }
  }
  return byName;
}

function claimsMadeFor(volumes: readonly JsonObject[], podName: string): ReadonlySet<string> {
  const ephemeral = podName === "" ? [] : volumes.filter((volume) => isSet(volume, "ephemeral"));
  return new Set(ephemeral.map((volume) => `${podName}-${textAt(volume, "name")}`));
}

/** Validates the resource claims of a pod, which containers refer to by name. */
export function validateResourceClaims(spec: JsonObject, podName: string, path: FieldPath, errors: FieldErrors): void {
  const names = new Set<string>();
  for (const [index, claim] of listAt(spec, "resourceClaims").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    const name = textAt(claim, "name");
    if (name === "") {
      errors.required(at.child("name"));
    } else if (names.has(name)) {
      errors.duplicate(at.child("name"), name);
    } else {
      names.add(name);
      validateClaimName(claim, name, podName, at.child("name"), errors);
    }
    validateClaimSource(objectAt(claim, "source"), at.child("source"), errors);
  }
}

function validateClaimName(
  claim: JsonValue,
  name: string,
  podName: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const before = errors.list.length;
  validateLabelText(name, path, errors);
  if (errors.list.length === before && podName !== "" && isSet(claim, "source", "resourceClaimTemplateName")) {
    const made = `${podName}-${name}`;
    const problems = validateSubdomainName(made).map((problem) => `final ResourceClaim name: ${problem}`);
    errors.invalidText(path, made, problems);
  }
}

const sources = ["resourceClaimName", "resourceClaimTemplateName"];

function validateClaimSource(source: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const named = sources.filter((name) => isSet(source, name));
  if (named.length !== 1) {
    const shown = goSyntax("k8s.io.api.core.v1.ClaimSource", source);
    errors.invalidShown(
      path,
      shown,
      named.length === 0
        ? "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
        : "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
    );
  }
  for (const name of named) {
    const text = String(valueAt(source, name));
    errors.invalidText(path.child(name), text, validateSubdomainName(text));
  }
}
