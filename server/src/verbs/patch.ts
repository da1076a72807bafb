import {
  apiVersionOf,
  badRequest,
  DecodeError,
  encodeJson,
  fieldError,
  invalid,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mediaTypes,
  parseJson,
  unsupportedMediaType,
} from "@gatehouse/envelopes";
import type { ServedResource } from "../catalogue/served-resource.js";
import { readBody } from "../http/body.js";
import { parseMediaType } from "../http/negotiation.js";
import { goValueText } from "../patch/go-value-text.js";
import { applyJsonPatch, decodeJsonPatch } from "../patch/json-patch.js";
import { applyMergePatch, decodeMergePatch } from "../patch/merge-patch.js";
import { applyStrategicMergePatch, decodeStrategicMergePatch } from "../patch/strategic-merge-patch.js";
import type { RequestContext } from "../request/request-context.js";
import { checkName, checkNamespace } from "./check-identity.js";
import { decodeValue, type ExpectedKind } from "./decode-body.js";
import { fillDefaults } from "./fill-defaults.js";
import { objectRepresentation } from "./respond.js";
import { respondWithOutcome, updateObject } from "./update.js";
import type { VerbEnvironment } from "./verb-environment.js";
import { type FieldValidation, parseWriteOptions } from "./write-options.js";

/** A patch as read from the request: a function of the object it is applied to. */
export interface ParsedPatch {
  readonly apply: (target: JsonObject) => JsonObject;
  readonly duplicateFields: readonly string[];
  /** What field validation has to say of the patch document itself. */
  readonly strictErrors: readonly string[];
  /** What an error shows as the value at fault: the patch in Go's notation, or the object that it led to. */
  readonly culprit: (patched: JsonObject) => string;
}

const patchTypes = [mediaTypes.jsonPatch, mediaTypes.mergePatch, mediaTypes.strategicMergePatch];

/** PATCH of an object or of one of its object-typed subresources. */
export async function patch(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
): Promise<void> {
  const representation = objectRepresentation(context, served);
  const options = parseWriteOptions(context.query, "PatchOptions");
  const parsed = await readPatch(context, served, options.fieldValidation);
  const outcome = await updateObject(environment, context, served, {
    subresource: context.info.subresource,
    revise: (old) => {
      const patched = applyPatch(context, served, parsed, old as JsonObject, options.fieldValidation);
      checkNamespace(patched, served, context.info.namespace);
      checkName(patched, context.info.name);
      fillDefaults(environment, served, patched);
      return patched;
    },
    dryRun: options.dryRun,
    createWhenMissing: false,
  });
  respondWithOutcome(context, served, outcome, representation);
}

/** Reads the body of a PATCH by its media type; 415 for others. */
export async function readPatch(
  context: RequestContext,
  target: Pick<ExpectedKind, "schema">,
  fieldValidation: FieldValidation,
): Promise<ParsedPatch> {
  const { type } = parseMediaType(context.header("content-type") ?? "");
  if (!patchTypes.some((known) => known === type)) {
    throw unsupportedMediaType(patchTypes);
  }
  const text = (await readBody(context)).toString();
  let value: JsonValue;
  let duplicateFields: readonly string[];
  try {
    ({ value, duplicateFields } = parseJson(text));
  } catch (error) {
    if (error instanceof DecodeError) {
      throw badRequest(`error decoding patch: ${error.message}`, error);
    }
    throw error;
  }
  switch (type) {
    case mediaTypes.jsonPatch: {
      const { operations, strictErrors } = decodeJsonPatch(value, { fieldValidation });
      return {
        apply: (object) => asObject(applyJsonPatch(object, operations)),
        duplicateFields: [],
        strictErrors,
        culprit: (patched) => encodeJson(patched),
      };
    }
    case mediaTypes.mergePatch: {
      const decoded = decodeMergePatch(value);
      return {
        apply: (object) => asObject(applyMergePatch(object, decoded)),
        duplicateFields,
        strictErrors: [],
        culprit: (patched) => encodeJson(patched),
      };
    }
    default: {
      const decoded = decodeStrategicMergePatch(value);
      return {
        apply: (object) => applyStrategicMergePatch(target.schema, object, decoded),
        duplicateFields,
        strictErrors: [],
        culprit: () => goValueText(decoded),
      };
    }
  }
}

function asObject(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) {
    throw badRequest("the patch does not leave an object");
  }
  return value;
}

/** Applies a patch and reads the result as an object of its kind, so that unknown fields are noticed here too. */
export function applyPatch(
  context: RequestContext,
  expected: ExpectedKind,
  parsed: ParsedPatch,
  old: JsonObject,
  fieldValidation: FieldValidation,
): JsonObject {
  const patched = parsed.apply(old);
  try {
    if (patched["kind"] !== expected.kind || patched["apiVersion"] !== apiVersionOf(expected)) {
      throw badRequest(
        `the patch may not change kind or apiVersion (${goValueText(patched["apiVersion"] ?? null)} ${goValueText(patched["kind"] ?? null)})`,
      );
    }
    return decodeValue(context, patched, parsed, expected, fieldValidation);
  } catch (error) {
    if (error instanceof DecodeError) {
      // No kind and no name: kube-apiserver blames the patch, not the object.
      throw invalid({ group: "", kind: "" }, "", [fieldError.invalid("patch", parsed.culprit(patched), error.message)]);
    }
    throw error;
  }
}
