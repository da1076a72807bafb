import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, validateImmutable } from "@gatehouse/apiserver/validation";
import { type PemBlock, pemBlocks } from "@gatehouse/component-base/pki";
import { certificateOf } from "@gatehouse/component-base/tls";
import { type JsonObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateSignerName } from "../../../validation/signer-name.js";

const signerName = FieldPath.of("spec").child("signerName");
const trustBundle = FieldPath.of("spec").child("trustBundle");
const maxBundleBytes = 1024 * 1024;
const omitted = "<value omitted>";

/** Rules of ClusterTrustBundle: certificates of authorities, each once, and a name with the signer as its prefix. */
export const clusterTrustBundleValidation: KindValidation = {
  validateName: validateBundleName,
  create(bundle, errors) {
    validateSigner(bundle, errors);
    validateBundle(textAt(bundle, "spec", "trustBundle"), errors);
  },
  update(bundle, old, errors) {
    errors.recheckMetadata("object");
    validateSigner(bundle, errors);
    const text = textAt(bundle, "spec", "trustBundle");
    if (text !== textAt(old, "spec", "trustBundle")) {
      validateBundle(text, errors);
    }
    errors.recheckMetadata("change");
    validateImmutable(
      textAt(bundle, "spec", "signerName"),
      valueAt(old, "spec", "signerName") ?? "",
      signerName,
      errors,
    );
  },
};

function validateBundleName(name: string, bundle: JsonObject, isPrefix: boolean): string[] {
  const signer = textAt(bundle, "spec", "signerName");
  const prefix = signer === "" ? "" : `${signer.replaceAll("/", ":")}:`;
  if (signer === "" && name.includes(":")) {
    return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  }
  return name.startsWith(prefix)
    ? validateSubdomainName(name.slice(prefix.length), isPrefix)
    : [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
}

function validateSigner(bundle: JsonObject, errors: FieldErrors): void {
  const signer = textAt(bundle, "spec", "signerName");
  if (signer !== "") {
    validateSignerName(signer, signerName, errors);
  }
}

function validateBundle(text: string, errors: FieldErrors): void {
  if (Buffer.byteLength(text) > maxBundleBytes) {
    errors.tooLong(trustBundle, maxBundleBytes);
    return;
  }
  const entries = new Map<string, number[]>();
  let isMisshapen = false;
  let index = 0;
  for (const block of pemBlocks(text)) {
    if (errors.isFull) {
      return;
    }
    const problem = entryProblem(block);
    if (problem === undefined) {
      const key = block.der.toString("base64");
      entries.set(key, [...(entries.get(key) ?? []), index]);
    } else {
      errors.invalid(trustBundle, omitted, `entry ${index} ${problem}`);
      isMisshapen = true;
    }
    index++;
  }
  if (isMisshapen) {
    return;
  }
  if (entries.size === 0) {
    errors.invalid(trustBundle, omitted, "at least one trust anchor must be provided");
  }
  for (const indices of entries.values()) {
    if (indices.length > 1) {
      errors.invalid(trustBundle, omitted, `duplicate trust anchor (indices [${indices.join(" ")}])`);
    }
  }
}

function entryProblem({ label, hasHeaders, der }: PemBlock): string | undefined {
  if (label !== "CERTIFICATE") {
    return `has bad block type: ${label}`;
  }
  if (hasHeaders) {
    return "has PEM block headers";
  }
  try {
    return certificateOf(der).ca ? undefined : "does not have the CA bit set";
  } catch {
    return "does not parse as X.509";
  }
}
