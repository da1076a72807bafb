import { jsonTypeName, parseJsonSteps, parseYamlSteps } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { goGroupVersionKind } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { runSteps, type Steps, startSteps } from "@gatehouse/envelopes/scheduling";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import { badRequest } from "@gatehouse/envelopes/status";
import { readBody } from "../../http/body.js";
import { checkValue } from "../../managed-fields/check-value.js";
import { FieldsError } from "../../managed-fields/fields-error.js";
import { mergeTypeOf } from "../../managed-fields/merge-type.js";
import { identityOf, kindOf } from "../../managed-fields/object-identity.js";
import { refuseTooManyFields } from "../../managed-fields/too-many-fields.js";
import { ifLarge } from "../../request/if-large.js";
import type { RequestContext } from "../../request/request-context.js";
import type { FieldValidation } from "../write-options.js";
import type { ExpectedKind } from "./expected-kind.js";
import { recordApplyPatch } from "./record-body.js";
import { duplicateKeyProblems } from "./strict-problems.js";

/** An apply patch: the members of an object that its manager has an opinion on. */
export class ApplyDocument {
  readonly config: JsonObject;
  readonly #duplicateKeys: readonly string[];

  constructor(config: JsonObject, duplicateKeys: readonly string[]) {
    this.config = config;
    this.#duplicateKeys = duplicateKeys;
  }

  /** Checks that it is a partial object of the expected kind. Throws 400; what v1.29 answers with 500 among it (decisions/0008). */
  *check(expected: ExpectedKind): Steps {
    checkKind(this.config, expected);
    const { metadata } = this.config;
    if (isJsonObject(metadata) && Array.isArray(metadata["managedFields"])) {
      throw badRequest("metadata.managedFields must be nil");
    }
    try {
      const type = mergeTypeOf(expected.schema);
      refuseTooManyFields(type, this.config);
      yield;
      checkValue(type, this.config, "refused");
    } catch (error) {
      throw error instanceof FieldsError
        ? badRequest(`failed to create typed patch object (${identityOf(this.config)}): ${error.message}`, error)
        : error;
    }
  }

  /** Refuses keys that are given twice, or warns of them, as the client asked. */
  reportDuplicates(context: Pick<RequestContext, "warn">, fieldValidation: FieldValidation): void {
    if (fieldValidation === "Ignore") {
      return;
    }
    for (const problem of duplicateKeyProblems(this.#duplicateKeys, fieldValidation)) {
      if (fieldValidation === "Strict") {
        throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problem}`);
      }
      context.warn(problem);
    }
  }
}

/** Reads the body of an apply patch: YAML, of which JSON is a part. */
export async function readApplyDocument(context: RequestContext): Promise<ApplyDocument> {
  const body = await readBody(context);
  await context.yieldIfLarge();
  const text = body.toString();
  const { value, duplicateKeys, length } =
    (await runSteps(ifLarge(context), readPlainJson(text))) ?? (await startSteps(context, readYaml(text)));
  await context.yieldIfLarge(length);
  recordApplyPatch(context, body, value);
  if (value !== null && !isJsonObject(value)) {
    const type = jsonTypeName(value);
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
    );
  }
  return new ApplyDocument(value ?? {}, duplicateKeys);
}

interface Read {
  readonly value: JsonValue;
  readonly duplicateKeys: readonly string[];
  /** Length of the text, with the text that aliases stand for. */
  readonly length: number;
}

const noDuplicates: readonly string[] = [];

/**
 * Reads a text as JSON, which most programs send and which is read much faster as that; undefined for YAML, which has
 * its own words for errors.
 */
function* readPlainJson(text: string): Steps<Read | undefined> {
  if (!text.startsWith("{")) {
    return undefined;
  }
  try {
    const { value, duplicateFields } = yield* parseJsonSteps(text);
    return duplicateFields.length === 0 ? { value, duplicateKeys: noDuplicates, length: text.length } : undefined;
  } catch (error) {
    if (error instanceof DecodeError) {
      return undefined;
    }
    throw error;
  }
}

function* readYaml(text: string): Steps<Read> {
  try {
    return yield* parseYamlSteps(text);
  } catch (error) {
    throw error instanceof DecodeError
      ? badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`, error)
      : error;
  }
}

function checkKind(config: JsonObject, expected: ExpectedKind): void {
  const said = kindOf(config);
  if (said !== goGroupVersionKind(apiVersionOf(expected), expected.kind)) {
    throw badRequest(`invalid object type: ${said}`);
  }
}
