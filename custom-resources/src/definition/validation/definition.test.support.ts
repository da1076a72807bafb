import { defaultFeatureGates } from "@gatehouse/apiserver/options";
import type { StrategyContext, ValidationSteps } from "@gatehouse/apiserver/registry";
import { FieldErrors } from "@gatehouse/apiserver/validation";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { FieldError } from "@gatehouse/envelopes/status";
import { customResourceDefinitionValidation } from "./index.js";

const context = { features: defaultFeatureGates() } as StrategyContext;

/** Returns a definition whose only version has this schema. */
export function definitionOf(schema: JsonObject): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "tests.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "tests", singular: "test", kind: "Test", listKind: "TestList" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      conversion: { strategy: "None" },
    },
    status: { storedVersions: ["v1"] },
  };
}

/** Returns the errors of a new definition, after running all work on them. */
export function errorsOfCreate(definition: JsonObject): readonly FieldError[] {
  return errorsOf((errors) => customResourceDefinitionValidation.create(definition, errors, context));
}

/** Returns the errors of a definition in the place of another. */
export function errorsOfUpdate(next: JsonObject, old: JsonObject): readonly FieldError[] {
  return errorsOf((errors) => customResourceDefinitionValidation.update(next, old, errors, context));
}

function errorsOf(check: (errors: FieldErrors) => ValidationSteps): readonly FieldError[] {
  const errors = new FieldErrors();
  const work = check(errors);
  while (work?.next().done === false) {
    // Each step only lets others have their turn.
  }
  return errors.list;
}

/** Returns errors as the message of an answer lists them. */
export function textsOf(errors: readonly FieldError[]): readonly string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`);
}
