import { checkLabelText, checkRequiredText, type FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, textAt, valueAt } from "@gatehouse/envelopes/json";
import { checkMeasuredResource } from "./measured-resource.js";
import { checkTarget } from "./metric-target.js";
import { checkRequiredSegment, checkScaledReference } from "./scaled-reference.js";

type SourceCheck = (source: JsonValue | undefined, path: FieldPath, errors: FieldErrors) => void;

/** Checks of the kinds of metric sources by the member that holds them, in v1.29's order. */
export const sourceChecks: Readonly<Record<string, SourceCheck>> = {
  object: checkObject,
  external: checkExternal,
  pods: checkPods,
  resource: checkResource,
  containerResource: checkContainerResource,
};

function checkObject(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  checkScaledReference(valueAt(source, "describedObject"), path.child("describedObject"), errors);
  checkIdentifiedTarget(source, path, errors);
  if (!isSet(source, "target", "value") && !isSet(source, "target", "averageValue")) {
    const detail = "must set either a target value or averageValue";
    errors.required(path.child("target").child("averageValue"), detail);
  }
}

function checkExternal(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  checkIdentifiedTarget(source, path, errors);
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

function checkPods(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  checkIdentifiedTarget(source, path, errors);
  if (!isSet(source, "target", "averageValue")) {
    errors.required(path.child("target").child("averageValue"), "must specify a positive target averageValue");
  }
}

function checkResource(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  checkRequiredText(textAt(source, "name"), path.child("name"), errors, "must specify a resource name");
  checkResourceTarget(source, path, errors);
}

function checkContainerResource(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(source, "name");
  if (checkRequiredText(name, path.child("name"), errors, "must specify a resource name")) {
    checkMeasuredResource(name, path.child("name"), errors);
  }
  const container = textAt(source, "container");
  if (checkRequiredText(container, path.child("container"), errors, "must specify a container")) {
    checkLabelText(container, path.child("container"), errors);
  }
  checkResourceTarget(source, path, errors);
}

function checkIdentifiedTarget(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(source, "metric", "name");
  checkRequiredSegment(name, path.child("metric").child("name"), errors, "must specify a metric name");
  checkTarget(valueAt(source, "target"), path.child("target"), errors);
}

/** Validates the target of a resource metric: a utilization or an average amount. */
function checkResourceTarget(source: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const target = path.child("target");
  checkTarget(valueAt(source, "target"), target, errors);
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
