import {
  type AsWritten,
  apiVersionOf,
  badRequest,
  DecodeError,
  decodeJson,
  decodeProtobuf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeName,
  kindSchema,
  type ObjectSchema,
  parseJson,
  parseYaml,
  unsupportedMediaType,
  unwrapEnvelope,
} from "@gatehouse/envelopes";
import { readBody } from "../http/body.js";
import { bodyEncoding, contentTypeOf, type Encoding } from "../http/negotiation.js";
import type { RequestContext } from "../request/request-context.js";
import { internalPackage } from "./internal-package.js";
import type { FieldValidation } from "./write-options.js";

/** The type that an endpoint takes. */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: ObjectSchema;
  /** Other API versions under which documents of the same form come; they are read as the expected one. */
  readonly otherVersions?: readonly string[];
}

/** Reads, decodes and checks the body of a write: an object of the expected kind in canonical form. */
export async function decodeBody(
  context: RequestContext,
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): Promise<JsonObject> {
  const encoding = bodyEncoding(context.header("content-type"));
  if (encoding === undefined) {
    throw unsupportedMediaType(Object.values(contentTypeOf));
  }
  const body = await readBody(context);
  return decodeDocument(context, body, encoding, expected, fieldValidation);
}

/** Decodes one document of the expected kind, reporting unknown and duplicate fields as the client asked. */
export async function decodeDocument(
  context: RequestContext,
  body: Buffer,
  encoding: Encoding,
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): Promise<JsonObject> {
  const recognized = await recognize(body, encoding, expected);
  try {
    if (recognized.encoding === "protobuf") {
      const object = decodeProtobuf(expected.schema, recognized.raw);
      return { ...object, kind: expected.kind, apiVersion: apiVersionOf(expected) };
    }
    const { value, duplicateFields, asWritten } = recognized;
    return decodeValue(context, value, { duplicateFields, asWritten, strictErrors: [] }, expected, fieldValidation);
  } catch (error) {
    if (error instanceof DecodeError) {
      throw badRequest(cannotBeHandled(expected.kind, expected.version, expected.kind, error.message), error);
    }
    throw error;
  }
}

/** A document whose kind is known to be the expected one; its members are still to be decoded. */
type Recognized =
  | {
      readonly encoding: "text";
      readonly value: JsonObject;
      readonly duplicateFields: readonly string[];
      readonly asWritten: AsWritten | undefined;
    }
  | { readonly encoding: "protobuf"; readonly raw: Buffer };

/** Finds out what a document is. What cannot even be asked that is answered with the beginning of the document. */
async function recognize(body: Buffer, encoding: Encoding, expected: ExpectedKind): Promise<Recognized> {
  try {
    if (encoding === "protobuf") {
      const { apiVersion, kind, raw } = unwrapEnvelope(body);
      checkTypeMeta(apiVersion, kind, expected);
      return { encoding, raw };
    }
    const text = body.toString();
    const parsed = encoding === "json" ? parseJsonBody(text) : { ...(await parseYaml(text)), asWritten: undefined };
    const { value, duplicateFields, asWritten } = parsed;
    const object = value ?? {};
    if (!isJsonObject(object)) {
      throw new DecodeError(
        `${noTypeMeta}json: cannot unmarshal ${jsonTypeName(object)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
      );
    }
    checkTypeMeta(object["apiVersion"], object["kind"], expected);
    return { encoding: "text", value: object, duplicateFields, asWritten };
  } catch (error) {
    if (error instanceof DecodeError) {
      const what = `the object provided is unrecognized (must be of type ${expected.kind})`;
      throw badRequest(`${what}: ${error.message} (${summaryOf(body)})`, error);
    }
    throw error;
  }
}

const noTypeMeta = "couldn't get version/kind; json parse error: ";

function parseJsonBody(text: string): ReturnType<typeof parseJson> {
  try {
    return parseJson(text);
  } catch (error) {
    throw error instanceof DecodeError ? new DecodeError(noTypeMeta + error.message, { cause: error }) : error;
  }
}

const summaryBytes = 30;

/** The beginning of a document, in hexadecimal where it is no JSON object, as kube-apiserver quotes it. */
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
const maxStructs = 60_000;

/** As many as v1.29 tells of. */
const maxStrictErrors = 100;

/** Decodes parsed JSON, for bodies and for the results of patches. */
export function decodeValue(
  context: RequestContext,
  value: JsonObject,
  found: {
    readonly duplicateFields: readonly string[];
    readonly strictErrors: readonly string[];
    readonly asWritten?: AsWritten | undefined;
  },
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): JsonObject {
  const { object, unknownFields } = decodeJson(expected.schema, value, { asWritten: found.asWritten, maxStructs });
  if (fieldValidation !== "Ignore") {
    const problems = [
      ...found.strictErrors,
      ...unknownFields.slice(0, maxStrictErrors).map((path) => `unknown field ${JSON.stringify(path)}`),
      ...found.duplicateFields.slice(0, maxStrictErrors).map((path) => `duplicate field ${JSON.stringify(path)}`),
    ].slice(0, maxStrictErrors);
    if (fieldValidation === "Strict" && problems.length > 0) {
      throw new DecodeError(`strict decoding error: ${problems.join(", ")}`);
    }
    for (const problem of problems) {
      context.warn(problem);
    }
  }
  object["kind"] = expected.kind;
  object["apiVersion"] = apiVersionOf(expected);
  return withTypeMetaFirst(object, expected);
}

function withTypeMetaFirst(object: JsonObject, expected: ExpectedKind): JsonObject {
  const first = Object.keys(object)[0];
  return first === "kind" ? object : { kind: expected.kind, apiVersion: apiVersionOf(expected), ...object };
}

/** A document may leave kind and apiVersion out; what it says must be what the path takes. */
function checkTypeMeta(apiVersion: JsonValue | undefined, kind: JsonValue | undefined, expected: ExpectedKind): void {
  const expectedVersion = apiVersionOf(expected);
  const saidVersion =
    apiVersion === undefined || apiVersion === null || apiVersion === "" ? expectedVersion : apiVersion;
  const saidKind = kind === undefined || kind === null || kind === "" ? expected.kind : kind;
  if (typeof saidVersion !== "string" || typeof saidKind !== "string") {
    const [name, value] = typeof saidVersion !== "string" ? ["apiVersion", saidVersion] : ["kind", saidKind];
    const problem = `json: cannot unmarshal ${jsonTypeName(value)} into Go struct field .${name} of type string`;
    throw new DecodeError(noTypeMeta + problem);
  }
  const isRightVersion = saidVersion === expectedVersion || expected.otherVersions?.includes(saidVersion) === true;
  if (isRightVersion && saidKind === expected.kind) {
    return;
  }
  const slash = saidVersion.indexOf("/");
  const group = slash < 0 ? "" : saidVersion.slice(0, slash);
  const version = saidVersion.slice(slash + 1);
  const isKnown = kindSchema(group, version, saidKind) !== undefined;
  if (saidKind === expected.kind && isKnown) {
    throw badRequest(
      `the API version in the data (${saidVersion}) does not match the expected API version (${expectedVersion})`,
    );
  }
  const detail = isKnown
    ? `converting (${version}.${saidKind}) to (${internalPackage(expected.group)}.${expected.kind}): unknown conversion`
    : `no kind ${JSON.stringify(saidKind)} is registered for version ${JSON.stringify(saidVersion)}`;
  throw badRequest(cannotBeHandled(saidKind, version, expected.kind, detail));
}

/** `version` comes without its group, as kube-apiserver writes it. */
function cannotBeHandled(kind: string, version: string, as: string, detail: string): string {
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${as}: ${detail}`;
}

/** A kind that some endpoints take whatever resource they belong to. Its schema is part of the program. */
export function expectedKind(
  group: string,
  version: string,
  kind: string,
  otherVersions: readonly string[] = [],
): ExpectedKind {
  const found = kindSchema(group, version, kind);
  if (found === undefined) {
    throw new Error(`no schema for ${kind}`);
  }
  return { group, version, kind, schema: found.schema, otherVersions };
}
