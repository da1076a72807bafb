import { metaOf } from "@gatehouse/apiserver/objects";
import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, isNumber } from "@gatehouse/apiserver/validation";
import {
  integerAt,
  isSet,
  type JsonObject,
  type JsonValue,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { preserveZeroSharesAnnotation } from "@gatehouse/envelopes/kind-defaults";
import { validateFlowConditions } from "../../conditions.js";
import { validateLimitResponse } from "./limit-response.js";
import { validateMandatoryLevel } from "./mandatory-levels.js";

const spec = FieldPath.of("spec");

/** Rules of PriorityLevelConfiguration in v1beta3. */
export const priorityLevelConfigurationValidation: KindValidation = {
  create: (level, errors, context) => validateLevel(level, errors, allowsZeroShares(context)),
  update: (level, old, errors, context) => validateLevel(level, errors, allowsZeroShares(context, old)),
  subresources: { status: (level, _old, errors) => validateFlowConditions(level, errors) },
};

/** Rules of PriorityLevelConfiguration in v1, which forbid the annotation that marks zero shares in v1beta3. */
export const priorityLevelConfigurationV1Validation: KindValidation = {
  create(level, errors, context) {
    validateUnmarked(level, errors);
    priorityLevelConfigurationValidation.create(level, errors, context);
  },
  update(level, old, errors, context) {
    validateUnmarked(level, errors);
    priorityLevelConfigurationValidation.update(level, old, errors, context);
  },
  subresources: priorityLevelConfigurationValidation.subresources ?? {},
};

function validateUnmarked(level: JsonObject, errors: FieldErrors): void {
  if (isSet(level, "metadata", "annotations", preserveZeroSharesAnnotation)) {
    const detail = `annotation '${preserveZeroSharesAnnotation}' is forbidden`;
    errors.forbidden(FieldPath.of("metadata").child("annotations"), detail);
  }
}

/**
 * Reports whether zero shares are allowed: by the feature or by the stored level. Older servers would read them as
 * thirty.
 */
function allowsZeroShares({ features }: StrategyContext, old?: JsonObject): boolean {
  const hadZero =
    isSet(old, "spec", "limited") && Number(integerAt(old, "spec", "limited", "nominalConcurrencyShares")) === 0;
  return features.enabled("ZeroLimitedNominalConcurrencyShares") || hadZero;
}

function validateLevel(level: JsonObject, errors: FieldErrors, zeroShares: boolean): void {
  const { name = "" } = metaOf(level);
  const type = textAt(level, "spec", "type");
  if ((name === "exempt") !== (type === "Exempt")) {
    errors.invalid(spec.child("type"), type, "type must be 'Exempt' if and only if name is 'exempt'");
  }
  switch (type) {
    case "Exempt":
      if (isSet(level, "spec", "limited")) {
        errors.forbidden(spec.child("limited"), "must be nil if the type is not Limited");
      }
      validateExempt(valueAt(level, "spec", "exempt"), spec.child("exempt"), errors);
      break;
    case "Limited":
      if (isSet(level, "spec", "exempt")) {
        errors.forbidden(spec.child("exempt"), "must be nil if the type is Limited");
      }
      if (isSet(level, "spec", "limited")) {
        validateLimited(objectAt(level, "spec", "limited"), spec.child("limited"), errors, zeroShares);
      } else {
        errors.required(spec.child("limited"), "must not be empty when type is Limited");
      }
      break;
    default:
      errors.notSupported(spec.child("type"), type, ["Exempt", "Limited"]);
  }
  validateMandatoryLevel(level, spec, errors);
  validateFlowConditions(level, errors);
}

function validateExempt(exempt: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const shares = valueAt(exempt, "nominalConcurrencyShares");
  if (isNumber(shares) && shares < 0) {
    errors.invalid(path.child("nominalConcurrencyShares"), shares, "must be a non-negative integer");
  }
  validateLendable(exempt, path, errors);
}

function validateLimited(limited: JsonObject, path: FieldPath, errors: FieldErrors, zeroShares: boolean): void {
  const shares = integerAt(limited, "nominalConcurrencyShares");
  if (shares < 0 || (shares === 0 && !zeroShares)) {
    const detail = zeroShares ? "must be a non-negative integer" : "must be positive";
    errors.invalid(path.child("nominalConcurrencyShares"), shares, detail);
  }
  validateLimitResponse(objectAt(limited, "limitResponse"), path.child("limitResponse"), errors);
  validateLendable(limited, path, errors);
  const borrowing = limited["borrowingLimitPercent"];
  if (isNumber(borrowing) && borrowing < 0) {
    errors.invalid(path.child("borrowingLimitPercent"), borrowing, "if specified, must be a non-negative integer");
  }
}

function validateLendable(holder: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const lendable = valueAt(holder, "lendablePercent");
  if (isNumber(lendable) && (lendable < 0 || lendable > 100)) {
    errors.invalid(path.child("lendablePercent"), lendable, "must be between 0 and 100, inclusive");
  }
}
