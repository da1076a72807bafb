import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { KindValidation, ValidationSteps } from "@gatehouse/apiserver/registry";
import { FieldErrors } from "@gatehouse/apiserver/validation";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { webhookConfigurationValidation } from "./webhook-configuration.js";

/** Returns a configuration whose webhook has a condition for each expression. */
function configuration(...expressions: readonly string[]): JsonObject {
  return {
    metadata: { name: "c" },
    webhooks: [
      {
        name: "w.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: "https://example.com/" },
        matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
      },
    ],
  };
}

const problemsOf = (errors: FieldErrors): readonly string[] =>
  errors.list.map(({ field, message }) => `${field}: ${message}`);

function created(object: JsonObject): readonly string[] {
  const errors = new FieldErrors();
  runAll(webhookConfigurationValidation.create(object, errors, context));
  return problemsOf(errors);
}

function updated(object: JsonObject, old: JsonObject): readonly string[] {
  const errors = new FieldErrors();
  runAll(webhookConfigurationValidation.update(object, old, errors, context));
  return problemsOf(errors);
}

/** The validation of these kinds reads nothing of the server. */
const context = {} as Parameters<KindValidation["create"]>[2];

function runAll(steps: ValidationSteps): void {
  for (const _step of steps ?? []) {
    // Nothing else is to be done between the steps.
  }
}

const ofThisRelease = "sets.contains([1, 2], [1])";
const invalid = "objekt == 1";

describe("Match conditions of a webhook configuration", () => {
  test("may not use functions that the release before this one does not know, until they are stored", () => {
    assert.equal(created(configuration(ofThisRelease)).length, 1);
    assert.equal(updated(configuration(ofThisRelease), configuration("true")).length, 1);
    assert.deepEqual(updated(configuration(ofThisRelease, "true"), configuration(ofThisRelease)), []);
  });

  test("are not compiled again while none of them changes", () => {
    assert.equal(updated(configuration(invalid), configuration("true")).length, 1);
    assert.deepEqual(updated(configuration(invalid), configuration(invalid)), []);
    assert.equal(updated(configuration(invalid, "true"), configuration(invalid)).length, 1);
  });

  test("are told without the spaces around them", () => {
    const [problem = ""] = created(configuration("\n  objekt == 1  "));
    assert.match(problem, /^webhooks\[0\]\.matchConditions\[0\]\.expression: Invalid value: "objekt == 1": /);
  });
});
