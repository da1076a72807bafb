import {
  type AsWritten,
  copySorted,
  decodeJson,
  encodeJson,
  type ParsedJson,
  parseJsonSteps,
} from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { goValueText } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { applyMergePatch, decodeJsonPatch, jsonPatchSteps } from "@gatehouse/envelopes/json-patch";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { runSteps, type Steps } from "@gatehouse/envelopes/scheduling";
import { badRequest, fieldError, invalid, unsupportedMediaType } from "@gatehouse/envelopes/status";
import { withTypeMeta } from "../../forms/type-meta.js";
import { readBody } from "../../http/body.js";
import { encodeAsWritten, spellingsAfterMerge, spellingsAfterOperations } from "../../patch/carried-spellings.js";
import { fromUnstructured } from "../../patch/from-unstructured.js";
import { decodeMergePatch, invalidMergePatch } from "../../patch/merge-patch.js";
import { MergeWork } from "../../patch/merge-work.js";
import { decodeStrategicMergePatch, strategicMergeSteps } from "../../patch/strategic-merge-patch.js";
import { ifLarge } from "../../request/if-large.js";
import type { RequestContext } from "../../request/request-context.js";
import type { FieldValidation } from "../write-options.js";
import { maxStructs } from "./decode-body.js";
import type { ExpectedKind } from "./expected-kind.js";
import { recordPatch } from "./record-body.js";
import { isUnreadable, missingKind, statedGroupVersion, typeMetaProblem } from "./stated-kind.js";
import { duplicateFieldProblems, reportStrictProblems, unknownFieldProblems } from "./strict-problems.js";

/** The body of a PATCH. It is read by its media type when there is something to apply it to, as v1.29 does. */
class PatchDocument {
  readonly #context: RequestContext;
  readonly #type: string;
  readonly #text: string;
  readonly #fieldValidation: FieldValidation;
  #parsed: ParsedJson | undefined;

  constructor(context: RequestContext, type: string, text: string, fieldValidation: FieldValidation) {
    this.#context = context;
    this.#type = type;
    this.#text = text;
    this.#fieldValidation = fieldValidation;
  }

  /** Returns the patched object, read as one of the expected kind. `current` is not changed. */
  applyTo(current: JsonObject, expected: ExpectedKind): Promise<JsonObject> {
    switch (this.#type) {
      case mediaTypes.jsonPatch:
        return this.#applyJsonPatch(current, expected);
      case mediaTypes.mergePatch:
        return runSteps(ifLarge(this.#context), this.#applyMergePatch(current, expected));
      default:
        return runSteps(ifLarge(this.#context), this.#applyStrategicMergePatch(current, expected));
    }
  }

  async #applyJsonPatch(current: JsonObject, expected: ExpectedKind): Promise<JsonObject> {
    const ignores = this.#fieldValidation === "Ignore";
    const { value, duplicateFields, asWritten } = await runSteps(
      ifLarge(this.#context),
      this.#parse(ignores ? "" : "error decoding patch: "),
    );
    const { operations, strictErrors } = decodeJsonPatch(value, { fieldValidation: this.#fieldValidation });
    // However small patch and object are, many operations that copy take long.
    const patched = await runSteps(this.#context, jsonPatchSteps(current, operations));
    const duplicates = duplicateFieldProblems(duplicateFields).map((problem) => `json patch ${problem}`);
    const written = spellingsAfterOperations(operations, patched, asWritten);
    return this.#decode(patched, expected, [...strictErrors, ...duplicates], written);
  }

  *#applyMergePatch(current: JsonObject, expected: ExpectedKind): Steps<JsonObject> {
    const { value, duplicateFields, asWritten } = yield* this.#parseMergePatch();
    yield;
    const patch = decodeMergePatch(value, this.#fieldValidation);
    const patched = isJsonObject(patch) ? applyMergePatch(current, patch) : patch;
    yield;
    const written = spellingsAfterMerge(patch, patched, asWritten);
    return this.#decode(patched, expected, duplicateFieldProblems(duplicateFields), written);
  }

  *#parseMergePatch(): Steps<ParsedJson> {
    if (this.#fieldValidation !== "Ignore") {
      return yield* this.#parse("error decoding patch: ");
    }
    try {
      return yield* this.#parse("");
    } catch {
      throw invalidMergePatch();
    }
  }

  *#applyStrategicMergePatch(current: JsonObject, expected: ExpectedKind): Steps<JsonObject> {
    const { value, duplicateFields } = yield* this.#parse("");
    const patch = decodeStrategicMergePatch(value);
    yield;
    const work = new MergeWork();
    const patched = yield* strategicMergeSteps(expected.schema, current, patch, work);
    yield;
    try {
      const { object, unknownFields } = decodeUnstructured(expected, patched);
      // v1.29 tells these in the order of their texts.
      const problems = [...duplicateFieldProblems(duplicateFields), ...unknownFieldProblems(unknownFields).sort()];
      reportStrictProblems(this.#context, problems, this.#fieldValidation);
      return withTypeMeta(object, expected);
    } catch (error) {
      throw refusedPatch(error, () => goValueText(work.withoutObeyed(patch)));
    }
  }

  /** Reads the JSON that a patch has led to; what is wrong with it is the fault of the patch. */
  #decode(
    patched: JsonValue,
    expected: ExpectedKind,
    problems: readonly string[],
    written: AsWritten | undefined,
  ): JsonObject {
    const isCustom = expected.schema.structural !== undefined;
    try {
      const { object, unknownFields } = isCustom
        ? decodePatchedCustom(patched, expected)
        : decodePatched(patched, expected, written);
      reportStrictProblems(this.#context, [...problems, ...unknownFieldProblems(unknownFields)], this.#fieldValidation);
      return isCustom ? object : withTypeMeta(object, expected);
    } catch (error) {
      throw refusedPatch(error, () =>
        isCustom && this.#type === mediaTypes.mergePatch
          ? encodeJson(copySorted(patched))
          : encodeAsWritten(patched, written),
      );
    }
  }

  /** Parses the patch once, for all times that it is applied. */
  *#parse(prefix: string): Steps<ParsedJson> {
    try {
      this.#parsed ??= yield* parseJsonSteps(this.#text);
      return this.#parsed;
    } catch (error) {
      throw error instanceof DecodeError ? badRequest(prefix + error.message, error) : error;
    }
  }
}

/** Reads the body of a PATCH; 415 for media types that are no patches, or none of those that the kind takes. */
export async function readPatch(
  context: RequestContext,
  fieldValidation: FieldValidation,
  accepted: readonly string[],
): Promise<PatchDocument> {
  const type = patchTypeOf(context, accepted);
  const body = await readBody(context);
  recordPatch(context, body);
  return new PatchDocument(context, type, body.toString(), fieldValidation);
}

/** Returns the media type, without parameters; v1.29 takes it as it is written. */
export function patchTypeOf(context: RequestContext, accepted: readonly string[]): string {
  const type = (context.header("content-type") ?? "").split(";", 1)[0] as string;
  if (!accepted.some((known) => known === type)) {
    throw unsupportedMediaType(accepted);
  }
  return type;
}

interface Decoded {
  readonly object: JsonObject;
  readonly unknownFields: readonly string[];
}

function decodePatched(patched: JsonValue, expected: ExpectedKind, asWritten: AsWritten | undefined): Decoded {
  const document = isJsonObject(patched) ? patched : {};
  const problem = typeMetaProblem(patched, expected);
  if (problem !== undefined) {
    throw new DecodeError(problem);
  }
  const { apiVersion: _apiVersion, kind: _kind, ...members } = document;
  if (statedGroupVersion(document).version === "") {
    // Without a version v1.29 knows none of the members.
    return { object: {}, unknownFields: Object.keys(members) };
  }
  return decodeJson(expected.schema, document, { maxStructs, asWritten });
}

/** Decodes a patched object of a custom kind. Another kind in it is left to validation. */
function decodePatchedCustom(patched: JsonValue, expected: ExpectedKind): Decoded {
  const problem = typeMetaProblem(patched, expected);
  if (problem !== undefined && isUnreadable(problem)) {
    throw new DecodeError(problem);
  }
  const document = patched as JsonObject;
  if (document["kind"] === undefined || document["kind"] === null || document["kind"] === "") {
    throw new DecodeError(missingKind(encodeJson(copySorted(document))));
  }
  if (document["apiVersion"] === null) {
    throw new DecodeError(".apiVersion accessor error: <nil> is of the type <nil>, expected string");
  }
  return decodeJson(expected.schema, document);
}

/** Decodes an object of a custom kind with the kind and version of the path, whatever the patch makes of them. */
export function decodeUnstructured(
  expected: ExpectedKind,
  patched: JsonObject,
  options: { readonly keepNulls?: boolean } = {},
): Decoded {
  try {
    return decodeJson(expected.schema, patched, { maxStructs, ...options });
  } catch (error) {
    if (!(error instanceof DecodeError)) {
      throw error;
    }
    const restored = fromUnstructured(expected.schema, patched);
    try {
      return decodeJson(expected.schema, restored, { maxStructs });
    } catch (inner) {
      throw inner instanceof DecodeError ? new DecodeError(withoutPlace(inner.message), { cause: inner }) : inner;
    }
  }
}

/**
 * Removes the place from a problem of a type that reads itself (times, quantities, bytes, ...) and does not know it.
 */
function withoutPlace(problem: string): string {
  return problem.startsWith("illegal base64 data")
    ? `error decoding from json: ${problem}`
    : problem.replace(/ into Go struct field \S+ of type /, " into Go value of type ");
}

/** Turns an error of decoding into a 422 without kind and name: v1.29 blames the patch, not the object. */
function refusedPatch(error: unknown, culprit: () => string): unknown {
  return error instanceof DecodeError
    ? invalid({ group: "", kind: "" }, "", [fieldError.invalid("patch", culprit(), error.message)])
    : error;
}
