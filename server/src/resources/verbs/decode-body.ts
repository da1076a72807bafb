import {
  apiVersionOf,
  badRequest,
  DecodeError,
  decodeJson,
  decodeProtobuf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  kindSchema,
  type ObjectSchema,
  parseJson,
  parseYaml,
  unsupportedMediaType,
  unwrapUnknown,
} from "@gatehouse/envelopes";
import { readBody } from "../../http/body.js";
import { bodyEncoding, contentTypeOf, type Encoding } from "../../http/negotiation.js";
import type { RequestContext } from "../../request/request-context.js";
import type { FieldValidation } from "./write-options.js";

/** The type that an endpoint takes. */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: ObjectSchema;
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
  try {
    return encoding === "protobuf"
      ? decodeProtobufBody(body, expected)
      : await decodeTextBody(context, body, encoding, expected, fieldValidation);
  } catch (error) {
    if (error instanceof DecodeError) {
      throw badRequest(cannotBeHandled(expected.kind, expected.version, expected.kind, error.message), error);
    }
    throw error;
  }
}

async function decodeTextBody(
  context: RequestContext,
  body: Buffer,
  encoding: "json" | "yaml",
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): Promise<JsonObject> {
  const text = body.toString();
  const { value, duplicateFields } = encoding === "json" ? parseJson(text) : await parseYaml(text);
  if (!isJsonObject(value)) {
    throw new DecodeError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  checkTypeMeta(value["apiVersion"], value["kind"], expected);
  return decodeValue(context, value, { duplicateFields, strictErrors: [] }, expected, fieldValidation);
}

/** Decodes parsed JSON, for bodies and for the results of patches. */
export function decodeValue(
  context: RequestContext,
  value: JsonObject,
  found: { readonly duplicateFields: readonly string[]; readonly strictErrors: readonly string[] },
  expected: ExpectedKind,
  fieldValidation: FieldValidation,
): JsonObject {
  const { object, unknownFields } = decodeJson(expected.schema, value);
  const problems =
    fieldValidation === "Ignore"
      ? []
      : [
          ...found.strictErrors,
          ...unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`),
          ...found.duplicateFields.map((path) => `duplicate field ${JSON.stringify(path)}`),
        ];
  if (problems.length > 0) {
    if (fieldValidation === "Strict") {
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

function decodeProtobufBody(body: Buffer, expected: ExpectedKind): JsonObject {
  const unknown = unwrapUnknown(body);
  checkTypeMeta(unknown.apiVersion, unknown.kind, expected);
  const object = decodeProtobuf(expected.schema, unknown.raw);
  return { ...object, kind: expected.kind, apiVersion: apiVersionOf(expected) };
}

/** A document may leave kind and apiVersion out; what it says must be what the path takes. */
function checkTypeMeta(apiVersion: JsonValue | undefined, kind: JsonValue | undefined, expected: ExpectedKind): void {
  const expectedVersion = apiVersionOf(expected);
  const saidVersion =
    apiVersion === undefined || apiVersion === null || apiVersion === "" ? expectedVersion : apiVersion;
  const saidKind = kind === undefined || kind === null || kind === "" ? expected.kind : kind;
  if (typeof saidVersion !== "string" || typeof saidKind !== "string") {
    throw new DecodeError("couldn't get version/kind; json parse error: apiVersion and kind must be strings");
  }
  if (saidVersion === expectedVersion && saidKind === expected.kind) {
    return;
  }
  const slash = saidVersion.indexOf("/");
  const group = slash < 0 ? "" : saidVersion.slice(0, slash);
  const version = saidVersion.slice(slash + 1);
  if (saidVersion !== expectedVersion && saidKind === expected.kind) {
    throw badRequest(
      `the API version in the data (${saidVersion}) does not match the expected API version (${expectedVersion})`,
    );
  }
  const detail =
    kindSchema(group, version, saidKind) === undefined
      ? `no kind ${JSON.stringify(saidKind)} is registered for version ${JSON.stringify(saidVersion)}`
      : `converting (${version}.${saidKind}) to (${expected.version}.${expected.kind}): unknown conversion`;
  throw badRequest(cannotBeHandled(saidKind, version, expected.kind, detail));
}

/** `version` comes without its group, as kube-apiserver writes it. */
function cannotBeHandled(kind: string, version: string, as: string, detail: string): string {
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${as}: ${detail}`;
}

function jsonTypeName(value: JsonValue): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
}
