import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, isNumber } from "@gatehouse/apiserver/validation";
import { CertificateRequestError, readCertificateRequest } from "@gatehouse/component-base/pki";
import { goBytes } from "@gatehouse/envelopes/go";
import { type JsonObject, listAt, textAt, textsAt, valueAt } from "@gatehouse/envelopes/json";
import { validateSignerName } from "../../../../validation/signer-name.js";
import { certificateProblem } from "./certificate.js";
import { validateStatusUpdate } from "./changes.js";
import { toleratedConditions, validateRequestConditions } from "./conditions.js";
import { keyUsages } from "./key-usages.js";

const spec = FieldPath.of("spec");
const status = FieldPath.of("status");
const minExpirationSeconds = 600;
/** Name of a signer of former versions, which requests could mean by naming none. */
const legacySigner = "kubernetes.io/legacy-unknown";

/** Rules of CertificateSigningRequest: conditions change through /approval only, certificates through /status only. */
export const certificateSigningRequestValidation: KindValidation = {
  create: (request, errors) => validateRequest(request, undefined, errors),
  update: (request, old, errors) => validateUpdate(request, old, errors, {}),
  subresources: {
    approval: (request, old, errors) => validateUpdate(request, old, errors, { mayApprove: true }),
    status: (request, old, errors) => validateUpdate(request, old, errors, { mayCertify: true }),
  },
};

function validateUpdate(
  request: JsonObject,
  old: JsonObject,
  errors: FieldErrors,
  rights: { readonly mayApprove?: boolean; readonly mayCertify?: boolean },
): void {
  errors.recheckMetadata("object");
  validateRequest(request, old, errors);
  validateStatusUpdate(request, old, errors, rights);
  errors.recheckMetadata("change");
}

/** Validates a request; an update may keep errors of the stored one. */
function validateRequest(request: JsonObject, old: JsonObject | undefined, errors: FieldErrors): void {
  const pem = valueAt(request, "spec", "request");
  const bytes = typeof pem === "string" ? Buffer.from(pem, "base64") : undefined;
  const problem = requestProblem(bytes ?? Buffer.alloc(0));
  if (problem !== undefined) {
    errors.invalidShown(spec.child("request"), goBytes(bytes), problem);
  }
  validateUsages(request, old, errors);
  const signer = textAt(request, "spec", "signerName");
  if (signer === legacySigner && textAt(old, "spec", "signerName") !== legacySigner) {
    const detail = "the legacy signerName is not allowed via this API version";
    errors.invalid(spec.child("signerName"), signer, detail);
  } else {
    validateSignerName(signer, spec.child("signerName"), errors);
  }
  const expiration = valueAt(request, "spec", "expirationSeconds");
  if (isNumber(expiration) && expiration < minExpirationSeconds) {
    const detail = `may not specify a duration less than ${minExpirationSeconds} seconds (10 minutes)`;
    errors.invalid(spec.child("expirationSeconds"), expiration, detail);
  }
  const conditions = listAt(request, "status", "conditions");
  validateRequestConditions(conditions, status.child("conditions"), errors, toleratedConditions(old));
  validateCertificate(request, old, errors);
}

function requestProblem(pem: Buffer): string | undefined {
  try {
    readCertificateRequest(pem);
    return undefined;
  } catch (error) {
    if (error instanceof CertificateRequestError) {
      return error.message;
    }
    throw error;
  }
}

function validateUsages(request: JsonObject, old: JsonObject | undefined, errors: FieldErrors): void {
  const path = spec.child("usages");
  const usages = textsAt(request, "spec", "usages");
  const before = textsAt(old, "spec", "usages");
  if (usages.length === 0) {
    errors.required(path);
  }
  const known = new Set(keyUsages);
  if (before.every((usage) => known.has(usage))) {
    for (const [index, usage] of usages.entries()) {
      if (!known.has(usage) && !errors.isFull) {
        errors.notSupported(path.index(index), usage, keyUsages);
      }
    }
  }
  if (new Set(before).size < before.length) {
    return;
  }
  const seen = new Set<string>();
  for (const [index, usage] of usages.entries()) {
    if (seen.has(usage) && !errors.isFull) {
      errors.duplicate(path.index(index), usage);
    }
    seen.add(usage);
  }
}

function validateCertificate(request: JsonObject, old: JsonObject | undefined, errors: FieldErrors): void {
  const certificate = textAt(request, "status", "certificate");
  const before = textAt(old, "status", "certificate");
  if (certificate === before || certificateProblem(before) !== undefined) {
    return;
  }
  const problem = certificateProblem(certificate);
  if (problem !== undefined) {
    errors.invalid(status.child("certificate"), "<certificate data>", problem);
  }
}
