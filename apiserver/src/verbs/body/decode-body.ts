import {
  type AsWritten,
  decodeJson,
  decodeProtobuf,
  encodeJson,
  parseJson,
  parseJsonSteps,
  parseYamlSteps,
  sortMembers,
  unwrapEnvelope,
} from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { runSteps, startSteps } from "@gatehouse/envelopes/scheduling";
import { apiVersionOf, groupVersionOf, kindSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { badRequest, type StatusError, unsupportedMediaType } from "@gatehouse/envelopes/status";
import { withTypeMeta } from "../../forms/type-meta.js";
import { readBody } from "../../http/body.js";
import { bodyEncoding, contentTypeOf, type Encoding } from "../../http/negotiation.js";
import { ifLarge } from "../../request/if-large.js";
import type { RequestContext } from "../../request/request-context.js";
import type { FieldValidation } from "../write-options.js";
import type { ExpectedKind } from "./expected-kind.js";
import { recordBody, recordObject } from "./record-body.js";
import { registeredType } from "./registered-types.js";
import {
  cannotBeHandled,
  isUnreadable,
  missingKind,
  missingVersion,
  noObjectProblem,
  noTypeMeta,
  optionsProblem,
  saidVersion,
  typeMetaProblem,
  withoutEmptyGroup,
} from "./stated-kind.js";
import {
  duplicateFieldProblems,
  duplicateKeyProblems,
  jsonProblems,
  reportStrictProblems,
  unknownFieldProblems,
} from "./strict-problems.js";

/** Returns the encoding of the body of a write. Throws 415 for a media type in which no object can be. */
export function encodingOfBody(context: RequestContext): Encoding {
  const encoding = bodyEncoding(context.header("content-type"));
  if (encoding === undefined) {
    throw unsupportedMediaType(Object.values(contentTypeOf));
  }
  return encoding;
}

/** Reads, decodes and checks the body of a write. Returns an object of the expected kind in canonical form. */
export async function decodeBody(
  context: RequestContext,
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): Promise<JsonObject> {
  const encoding = encodingOfBody(context);
  if (expected.schema.structural === undefined) {
    return decodeDocument(context, await readBody(context), encoding, expected, fieldValidation);
  }
  if (encoding === "protobuf") {
    throw unsupportedMediaType(Object.values(contentTypeOf));
  }
  const body = await readBody(context);
  await context.yieldIfLarge();
  const document = await recognizeUnstructured(context, body, encoding, expected, fieldValidation);
  await context.yieldIfLarge();
  const object = decodeUnstructuredDocument(context, document, expected, fieldValidation);
  recordObject(context, { body, encoding, value: document.value }, object);
  return object;
}

/** Decodes one document of the expected kind, reporting unknown and duplicate fields as the client asked. */
async function decodeDocument(
  context: RequestContext,
  body: Buffer,
  encoding: Encoding,
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): Promise<JsonObject> {
  await context.yieldIfLarge();
  const recognized = await recognize(context, body, encoding, expected);
  await context.yieldIfLarge();
  const object = decodeAs(context, recognized, expected, fieldValidation);
  recordObject(context, { body, encoding, value: sentValue(recognized, object) }, object);
  return object;
}

function decodeAs(
  context: RequestContext,
  recognized: Recognized,
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): JsonObject {
  try {
    return decodeRecognized(context, recognized, expected, fieldValidation);
  } catch (error) {
    if (error instanceof DecodeError) {
      throw badRequest(
        cannotBeHandled(expected.kind, saidVersion(statedBy(recognized), expected), expected.kind, error.message),
        error,
      );
    }
    throw error;
  }
}

/** Returns what a document says in JSON or YAML; of protobuf, nothing is said in messages. */
function statedBy(recognized: Recognized): JsonValue {
  return recognized.encoding === "text" ? recognized.value : {};
}

/** Returns the client's document as JSON; for protobuf, the decoded object. */
function sentValue(recognized: Recognized, object: JsonObject): JsonValue {
  return recognized.encoding === "protobuf" ? object : recognized.value;
}

/** Decodes the options of a request, which v1.29 reads by themselves: messages do not name the request. */
export async function decodeOptions(
  context: RequestContext,
  body: Buffer,
  encoding: Encoding,
  expected: ExpectedKind,
): Promise<JsonObject> {
  try {
    const document = await parseDocument(context, body, encoding);
    const problem = optionsProblem(document.typeMeta, expected);
    if (problem !== undefined) {
      throw new DecodeError(problem);
    }
    const options = decodeRecognized(context, document.recognized, expected, "Ignore");
    recordBody(context, { body, encoding, value: sentValue(document.recognized, options) });
    return options;
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message, error) : error;
  }
}

/** A document whose kind is known to be the expected one; its members are still to be decoded. */
type Recognized = RecognizedText | { readonly encoding: "protobuf"; readonly raw: Buffer };

interface RecognizedText {
  readonly encoding: "text";
  readonly value: JsonObject;
  /** The text that was read. */
  readonly text: string;
  /** Paths of duplicate fields of JSON. */
  readonly duplicateFields: readonly string[];
  /** Messages about duplicate keys of YAML, in v1.29's words. */
  readonly duplicateKeys: readonly string[];
  readonly asWritten: AsWritten | undefined;
}

function decodeRecognized(
  context: RequestContext,
  recognized: Recognized,
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): JsonObject {
  return recognized.encoding === "protobuf"
    ? withTypeMeta(decodeProtobuf(expected.schema, recognized.raw, undefined, { refusesFarTimes: true }), expected)
    : decodeMembers(context, recognized, expected, fieldValidation);
}

/** Finds out what a document is. What cannot even be asked that is answered with the beginning of the document. */
async function recognize(
  context: RequestContext,
  body: Buffer,
  encoding: Encoding,
  expected: ExpectedKind,
): Promise<Recognized> {
  try {
    const { typeMeta, recognized } = await parseDocument(context, body, encoding);
    checkTypeMeta(typeMeta, expected, recognized);
    return recognized;
  } catch (error) {
    throw error instanceof DecodeError ? unrecognized(expected, error, body) : error;
  }
}

/** Finds out what a document of a custom kind is: it has to say its kind. */
async function recognizeUnstructured(
  context: RequestContext,
  body: Buffer,
  encoding: "json" | "yaml",
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): Promise<RecognizedText> {
  try {
    const text = body.toString();
    const { value, isEmpty, ...rest } = await (encoding === "json" ? readJson(context, text) : readYaml(context, text));
    const problem = isEmpty ? undefined : typeMetaProblem(value, expected);
    if (problem !== undefined && isUnreadable(problem)) {
      throw new DecodeError(problem);
    }
    if (isEmpty || !isJsonObject(value) || (value["kind"] ?? "") === "") {
      if (fieldValidation !== "Ignore") {
        throw new DecodeError(missingKind(text));
      }
      // v1.29 has read the document as JSON by then.
      const json = encoding === "json" ? text : isEmpty ? "null" : encodeJson(value);
      const version = saidVersion(value, expected);
      throw badRequest(cannotBeHandled(expected.kind, version, expected.kind, missingKind(json)));
    }
    return { encoding: "text", value, ...rest };
  } catch (error) {
    throw error instanceof DecodeError ? unrecognized(expected, error, body) : error;
  }
}

/**
 * Decodes an object of a custom kind. Another kind is refused by validation, another version here, after everything
 * else.
 */
function decodeUnstructuredDocument(
  context: RequestContext,
  { value, duplicateKeys, duplicateFields }: RecognizedText,
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): JsonObject {
  const kind = String(value["kind"]);
  const apiVersion = withoutEmptyGroup(textAt(value, "apiVersion"));
  try {
    const { object, unknownFields } = decodeJson(expected.schema, value);
    const problems = [
      ...duplicateKeyProblems(duplicateKeys, fieldValidation),
      ...duplicateFieldProblems(duplicateFields),
      // The only known member of objects of other kinds is their metadata.
      ...unknownFieldProblems(kind === expected.kind ? unknownFields : unknownFields.filter(isInMetadata)),
    ];
    reportStrictProblems(context, problems, fieldValidation);
    if (apiVersion !== apiVersionOf(expected)) {
      throw wrongVersion(apiVersion, expected);
    }
    return object;
  } catch (error) {
    if (error instanceof DecodeError) {
      const { version } = groupVersionOf(apiVersion);
      throw badRequest(
        version === "" ? missingVersion : cannotBeHandled(kind, version, expected.kind, error.message),
        error,
      );
    }
    throw error;
  }
}

function isInMetadata(path: string): boolean {
  return path.startsWith("metadata.");
}

function wrongVersion(apiVersion: string, expected: ExpectedKind): StatusError {
  return badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(expected)})`,
  );
}

function unrecognized(expected: ExpectedKind, error: DecodeError, body: Buffer): StatusError {
  const what = `the object provided is unrecognized (must be of type ${expected.kind})`;
  return badRequest(`${what}: ${error.message} (${summaryOf(body)})`, error);
}

/** Parses a document. `typeMeta` holds its kind, which is not checked here. */
async function parseDocument(
  context: RequestContext,
  body: Buffer,
  encoding: Encoding,
): Promise<{ readonly typeMeta: JsonObject; readonly recognized: Recognized }> {
  if (encoding === "protobuf") {
    const { apiVersion, kind, raw } = unwrapEnvelope(body);
    return { typeMeta: { apiVersion, kind }, recognized: { encoding, raw } };
  }
  const text = body.toString();
  const read = await (encoding === "json" ? readJson(context, text) : readYaml(context, text));
  const { value, isEmpty: _isEmpty, ...rest } = read;
  if (!isJsonObject(value)) {
    throw new DecodeError(noObjectProblem(value));
  }
  return { typeMeta: value, recognized: { encoding: "text", value, ...rest } };
}

/** A document of which it is not known yet whether it is an object. Nothing is an empty one. */
type ReadText = Omit<RecognizedText, "encoding" | "value"> & {
  readonly value: JsonValue;
  /** True if the document was empty or null. */
  readonly isEmpty: boolean;
};

/** Length in characters from which a text is parsed in steps; shorter ones take a few milliseconds. */
const longTextLength = 128 * 1024;

async function readJson(context: RequestContext, text: string): Promise<ReadText> {
  try {
    const { value, duplicateFields, asWritten } =
      text.length < longTextLength ? parseJson(text) : await runSteps(ifLarge(context), parseJsonSteps(text));
    return { value: value ?? {}, isEmpty: value === null, text, duplicateFields, duplicateKeys: [], asWritten };
  } catch (error) {
    throw error instanceof DecodeError ? new DecodeError(noTypeMeta + error.message, { cause: error }) : error;
  }
}

async function readYaml(context: RequestContext, text: string): Promise<ReadText> {
  const { value, duplicateKeys, length } = await startSteps(context, parseYamlSteps(text));
  await context.yieldIfLarge(length);
  // Parsed YAML has each key once, and v1.29 reads it in the order of the keys, which decides the order of problems.
  return {
    value: sortMembers(value ?? {}),
    isEmpty: value === null,
    text,
    duplicateFields: [],
    duplicateKeys,
    asWritten: undefined,
  };
}

const summaryBytes = 30;

/** Returns the beginning of a document, in hexadecimal where it is no JSON object, as kube-apiserver quotes it. */
function summaryOf(body: Buffer): string {
  if (body.length === 0) {
    return "<empty>";
  }
  const isObject = body[0] === 0x7b;
  const text = body.subarray(0, summaryBytes).toString(isObject ? "utf8" : "hex");
  return body.length > summaryBytes ? `${text} ...` : text;
}

/**
 * Structs that one object may have. The largest real ones are schemas and endpoints with some ten thousand; each struct is
 * decoded, defaulted, validated and encoded, so that many more of them would hold up all other requests.
 */
export const maxStructs = 60_000;

/** Decodes the parsed JSON of a body. */
function decodeMembers(
  context: RequestContext,
  document: RecognizedText,
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): JsonObject {
  const { value, text, duplicateFields, duplicateKeys, asWritten } = document;
  const { object, unknownFields } = decodeJson(expected.schema, value, { asWritten, maxStructs });
  const unknown = new Set(unknownFields);
  // Duplicates inside of unknown members are not noticed by v1.29.
  const duplicate = duplicateFields.filter((path) => !isWithin(path, unknown));
  const problems = [
    ...duplicateKeyProblems(duplicateKeys, fieldValidation),
    ...jsonProblems(text, unknownFields, duplicate),
  ];
  reportStrictProblems(context, problems, fieldValidation);
  return withTypeMeta(object, expected);
}

/** Reports whether a path leads to one of the others, or into it. */
function isWithin(path: string, others: ReadonlySet<string>): boolean {
  if (others.size === 0) {
    return false;
  }
  for (let end = path.length; end > 0; end = Math.max(path.lastIndexOf(".", end - 1), path.lastIndexOf("[", end - 1))) {
    if (others.has(path.slice(0, end))) {
      return true;
    }
  }
  return false;
}

/**
 * Checks that kind and apiVersion of a document are what the path takes, where it states them. A document of another known kind
 * is read as one first, as in v1.29: what is wrong with it is told before its kind.
 */
function checkTypeMeta(document: JsonObject, expected: ExpectedKind, recognized: Recognized): void {
  const problem = typeMetaProblem(document, expected);
  if (problem === undefined) {
    return;
  }
  const { apiVersion = "", kind } = document;
  if (isUnreadable(problem)) {
    throw new DecodeError(problem);
  }
  const saidVersion = withoutEmptyGroup(String(apiVersion)) || apiVersionOf(expected);
  const saidKind = String(kind || expected.kind);
  const { group, version } = groupVersionOf(saidVersion);
  const isKnown = registeredType({ group, version, kind: saidKind }, expected.group) !== undefined;
  const found = isKnown ? kindSchema(group, version, saidKind) : undefined;
  const misfit = found && recognized.encoding === "text" ? misfitOf(recognized, found.schema) : undefined;
  if (misfit === undefined && saidKind === expected.kind && found !== undefined) {
    throw wrongVersion(saidVersion, expected);
  }
  throw badRequest(cannotBeHandled(saidKind, version, expected.kind, misfit ?? problem));
}

/** Returns the reason why a document cannot be read by a schema; undefined when it can. */
function misfitOf({ value, asWritten }: RecognizedText, schema: ObjectSchema): string | undefined {
  try {
    decodeJson(schema, value, { asWritten, maxStructs });
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) {
      return error.message;
    }
    throw error;
  }
}
