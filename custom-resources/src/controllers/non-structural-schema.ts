import { type Controller, ignoreNotFound, reconcile } from "@gatehouse/apiserver/client";
import { type Condition, metaOf, setCondition, timestamp } from "@gatehouse/apiserver/objects";
import { FieldPath } from "@gatehouse/apiserver/validation";
import { pause } from "@gatehouse/component-base/time";
import {
  booleanAt,
  conditionOfType,
  isJsonObject,
  type JsonObject,
  listAt,
  ownObject,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { customResourceDefinitions } from "../definition/definitions-resource.js";
import { definitionSummary } from "../resources/definition-summary.js";
import { storedPatternProblems } from "../schema/pattern-problems.js";
import { formProblem } from "../schema/structural-form.js";
import { structuralErrors } from "../schema/structural-validation.js";
import type { DefinitionControllerOptions } from "./naming.js";

const conditionType = "NonStructuralSchema";

/**
 * Milliseconds of pause before each definition that exists at start. It was checked when it was written, and is checked
 * again only because a store may come from elsewhere: a thousand of them take half a second that requests need.
 */
const pauseMs = 5;

/** Sets the condition on definitions from before schemas had to be structural, with the reasons why theirs is not. */
export function definitionNonStructuralSchema(options: DefinitionControllerOptions): Controller {
  const { client, now } = options;
  /** The generation that was checked, by name. */
  const seen = new Map<string, string>();
  const listed = new Set<string>();
  const work = async (name: string, signal: AbortSignal): Promise<undefined> => {
    if (listed.delete(name)) {
      await pause(pauseMs, signal);
    }
    const definition = await client.get(customResourceDefinitions, "", name);
    if (definition === undefined) {
      return undefined;
    }
    if (hasChanged(definition, nonStructural(definition))) {
      await client
        .update(customResourceDefinitions, { namespace: "", name, subresource: "status" }, (current) =>
          revise(current, timestamp(now())),
        )
        .catch(ignoreNotFound);
    }
    seen.set(name, generationOf(definition));
    return undefined;
  };
  return {
    name: "non-structural-schema-condition-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 1,
        work: (name) => work(name, signal),
        sources: [
          {
            resource: customResourceDefinitions,
            keyOf({ name, entry }, event) {
              if (event === "DELETED") {
                seen.delete(name);
                return undefined;
              }
              if (event === "LISTED") {
                listed.add(name);
              }
              const { uid, generation } = definitionSummary(entry);
              return seen.get(name) === `${uid} ${generation}` ? undefined : name;
            },
          },
        ],
      }),
  };
}

function generationOf(definition: JsonObject): string {
  const { uid = "", generation = 0 } = metaOf(definition);
  return `${uid} ${generation}`;
}

function revise(definition: JsonObject, now: string): JsonObject | undefined {
  const wanted = nonStructural(definition);
  if (!hasChanged(definition, wanted)) {
    return undefined;
  }
  if (wanted === undefined) {
    const status = ownObject(definition, "status");
    status["conditions"] = listAt(status, "conditions").filter((item) => textAt(item, "type") !== conditionType);
  } else {
    setCondition(definition, wanted, now);
  }
  return definition;
}

function hasChanged(definition: JsonObject, wanted: Condition | undefined): boolean {
  const known = conditionOfType(listAt(definition, "status", "conditions"), conditionType);
  return known?.["reason"] !== wanted?.["reason"] || known?.["message"] !== wanted?.["message"];
}

function nonStructural(definition: JsonObject): Condition | undefined {
  const messages: string[] = [];
  const patterns = storedPatternProblems();
  if (booleanAt(definition, "spec", "preserveUnknownFields")) {
    messages.push("spec.preserveUnknownFields: Invalid value: true: must be false");
  }
  for (const [index, version] of listAt(definition, "spec", "versions").entries()) {
    const schema = valueAt(version, "schema", "openAPIV3Schema");
    if (!isJsonObject(schema)) {
      continue;
    }
    const problem = formProblem(schema);
    if (problem !== undefined) {
      const message = `failed to check validation schema for version ${textAt(version, "name")}: ${problem}`;
      return { type: conditionType, status: "Unknown", reason: "StructuralError", message };
    }
    const path = FieldPath.of("spec").child("versions").index(index).child("schema").child("openAPIV3Schema");
    messages.push(...structuralErrors(schema, path, patterns).map(({ field, message }) => `${field}: ${message}`));
  }
  if (messages.length === 0) {
    return undefined;
  }
  const distinct = [...new Set(messages)];
  const message = distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(", ")}]`;
  return { type: conditionType, status: "True", reason: "Violations", message };
}
