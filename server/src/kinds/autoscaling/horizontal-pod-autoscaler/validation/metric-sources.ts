import {
  type FieldErrors,
  type FieldPath,
  validateLabelText,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateMeasuredResource } from "./measured-resource.js";
import { validateTarget } from "./metric-target.js";
import { validateRequiredSegment, validateScaledReference } from "./scaled-reference.js";

type ValidateSource = (source: JsonValue | undefined, path: FieldPath, errors: FieldErrors) => void;

/** Checks of the kinds of metric sources by the member that holds them, in v1.29's order. */
export const sourceChecks: Readonly<Record<string, ValidateSource>> = {
  object: validateObject,
  external: validateExternal,
  pods: validatePods,
  resource: validateResource,
  containerResource: validateContainerResource,
};

function validateObject(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  validateScaledReference(valueAt(source, "describedObject"), path.child("describedObject"), errors);
  validateIdentifiedTarget(source, path, errors);
  if (!isSet(source, "target", "value") && !isSet(source, "target", "averageValue")) {
    const detail = "must set either a target value or averageValue";
    errors.required(path.child("target").child("averageValue"), detail);
  }
}

function validateExternal(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  validateIdentifiedTarget(source, path, errors);
  const hasValue = isSet(source, "target", "value");
  const hasAverage = isSet(source, "target", "averageValue");
  if (!hasValue && !hasAverage) {
    const detail = "must set either a target value for metric or a per-pod target";
    errors.required(path.child("target").child("averageValue"), detail);
  }
  if (hasValue && hasAverage) {
    const detail = "may not set both a target value for metric and a per-pod target";
    errors.forbidden(path.child("target").child("value"), detail);
  }
}

function validatePods(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  validateIdentifiedTarget(source, path, errors);
  if (!isSet(source, "target", "averageValue")) {
    errors.required(path.child("target").child("averageValue"), "must specify a positive target averageValue");
  }
}

function validateResource(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  validateRequiredText(textAt(source, "name"), path.child("name"), errors, "must specify a resource name");
  validateResourceTarget(source, path, errors);
}

function validateContainerResource(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(source, "name");
  if (validateRequiredText(name, path.child("name"), errors, "must specify a resource name")) {
    validateMeasuredResource(name, path.child("name"), errors);
  }
  const container = textAt(source, "container");
  if (validateRequiredText(container, path.child("container"), errors, "must specify a container")) {
    validateLabelText(container, path.child("container"), errors);
  }
  validateResourceTarget(source, path, errors);
}

function validateIdentifiedTarget(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(source, "metric", "name");
  validateRequiredSegment(name, path.child("metric").child("name"), errors, "must specify a metric name");
  validateTarget(valueAt(source, "target"), path.child("target"), errors);
}

/** Validates the target of a resource metric: a utilization or an average amount. */
function validateResourceTarget(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const target = path.child("target");
  validateTarget(valueAt(source, "target"), target, errors);
  const hasUtilization = isSet(source, "target", "averageUtilization");
  const hasAverage = isSet(source, "target", "averageValue");
  if (!hasUtilization && !hasAverage) {
    const detail = "must set either a target raw value or a target utilization";
    errors.required(target.child("averageUtilization"), detail);
  }
  if (hasUtilization && hasAverage) {
    const detail = "may not set both a target raw value and a target utilization";
    errors.forbidden(target.child("averageValue"), detail);
  }
}
