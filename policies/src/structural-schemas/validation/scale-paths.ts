import { goTypeOfJson, goValueText } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue, textAt, valueAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError } from "@gatehouse/envelopes/status";

/**
 * The places in a custom kind of the values that a Scale shows, as JSON paths with a dot before each member
 * (`.spec.replicas`).
 */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  /** The path of the selector; undefined when the kind has none to show. */
  readonly labelSelector: string | undefined;
}

/** Returns the paths in a version of a definition of the values that a Scale shows; undefined when it has no scale. */
export function scalePathsOf(version: JsonObject): ScalePaths | undefined {
  const scale = valueAt(version, "subresources", "scale");
  return isJsonObject(scale)
    ? {
        specReplicas: textAt(scale, "specReplicasPath"),
        statusReplicas: textAt(scale, "statusReplicasPath"),
        labelSelector: textAt(scale, "labelSelectorPath") || undefined,
      }
    : undefined;
}

/** The value at a path, or the reason why it cannot be had. */
export type Found = { readonly value: JsonValue | undefined } | { readonly problem: string };

/** Returns the members that a path names. */
export function stepsOf(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".");
}

/** Returns the value at a path; a problem where a step leads into a value that is no object. */
export function findAt(object: JsonObject, path: string): Found {
  const steps = stepsOf(path);
  let value: JsonValue | undefined = object;
  for (const [index, step] of steps.entries()) {
    if (value === undefined || value === null) {
      return { value: undefined };
    }
    if (!isJsonObject(value)) {
      return accessorProblem(steps.slice(0, index + 1), value, "map[string]interface{}");
    }
    value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return { value };
}

/** Returns the integer at a path, 0 when there is none. */
export function integerFoundAt(object: JsonObject, path: string): { value: number } | { problem: string } {
  const found = findAt(object, path);
  if ("problem" in found) {
    return found;
  }
  const { value } = found;
  if (value === undefined) {
    return { value: 0 };
  }
  const isInteger = typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
  return isInteger ? { value: Number(value) } : accessorProblem(stepsOf(path), value, "int64");
}

/** Returns the text at a path, empty when there is none. */
export function textFoundAt(object: JsonObject, path: string): { value: string } | { problem: string } {
  const found = findAt(object, path);
  if ("problem" in found) {
    return found;
  }
  const { value } = found;
  if (value === undefined) {
    return { value: "" };
  }
  return typeof value === "string" ? { value } : accessorProblem(stepsOf(path), value, "string");
}

function accessorProblem(steps: readonly string[], value: JsonValue, wanted: string): { readonly problem: string } {
  const type = value === null ? "<nil>" : goTypeOfJson(value);
  return {
    problem: `.${steps.join(".")} accessor error: ${goValueText(value)} is of the type ${type}, expected ${wanted}`,
  };
}

const maxInt32 = 2 ** 31 - 1;

/** Returns the errors of an object's desired replicas. */
export function scaleSpecErrors(object: JsonObject, paths: ScalePaths): FieldError[] {
  return replicasErrors(object, paths.specReplicas);
}

/** Returns the errors of an object's actual replicas, and of its selector. */
export function scaleStatusErrors(object: JsonObject, { statusReplicas, labelSelector }: ScalePaths): FieldError[] {
  const errors = replicasErrors(object, statusReplicas);
  if (labelSelector !== undefined) {
    const found = textFoundAt(object, labelSelector);
    if ("problem" in found) {
      errors.push(fieldError.invalid(labelSelector, "", found.problem));
    }
  }
  return errors;
}

function replicasErrors(object: JsonObject, path: string): FieldError[] {
  const found = integerFoundAt(object, path);
  if ("problem" in found) {
    return [fieldError.invalid(path, 0, found.problem)];
  }
  const { value } = found;
  if (value < 0) {
    return [fieldError.invalid(path, value, "should be a non-negative integer")];
  }
  return value > maxInt32 ? [fieldError.invalid(path, value, `should be less than or equal to ${maxInt32}`)] : [];
}
