import { type JsonSchemaOptions, jsonSchemaOf, type KindSchema } from "@gatehouse/envelopes/schema";
import type { ErrorObject } from "ajv";
import { type Problem, problemAt } from "../problems/problem.js";

/** Says what is wrong with a document, each problem with its path; nothing when it is as its kind demands. */
export type DocumentValidator = (document: unknown) => readonly Problem[];

const noProblems: readonly Problem[] = Object.freeze([]);

/**
 * Validators compiled so far. Compiling one takes some tenths of a second; there is at most one per kind of document.
 */
const compiled = {
  refused: new Map<KindSchema, DocumentValidator>(),
  allowed: new Map<KindSchema, DocumentValidator>(),
};

/**
 * Compiles the validator of a kind, by ajv, from the schema model; once in the life of a process. Members that the kind does
 * not have are problems unless the options say otherwise.
 */
export async function documentValidator(kind: KindSchema, options: JsonSchemaOptions = {}): Promise<DocumentValidator> {
  const validators = compiled[options.unknownMembers ?? "refused"];
  const known = validators.get(kind);
  if (known !== undefined) {
    return known;
  }
  // Most processes are configured by flags alone, and start faster without it.
  const { Ajv } = await import("ajv");
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    // Schemas that are made of the model need no validation of their own, for which another schema would be compiled.
    meta: false,
    validateSchema: false,
    // Documents of peers come with each request; those of this process are read once, and faster code would come too late.
    code: { optimize: options.unknownMembers === "allowed" },
  });
  const validate = ajv.compile(jsonSchemaOf(kind, options));
  const validator: DocumentValidator = (document) =>
    validate(document) ? noProblems : problemsOf(validate.errors ?? []);
  validators.set(kind, validator);
  return validator;
}

/**
 * Returns the problems of a document. "must be null" is left out: it comes with every problem of a member that may be
 * absent.
 */
function problemsOf(errors: readonly ErrorObject[]): readonly Problem[] {
  const telling = errors.filter(
    ({ keyword, params }) => keyword !== "anyOf" && !(keyword === "type" && params["type"] === "null"),
  );
  return telling.map((error) => problemAt(pathOf(error), textOf(error)));
}

/** `/plugins/0/name` as `plugins[0].name`. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const member = params["additionalProperty"] ?? params["missingProperty"];
  const parts = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const path = [...parts, ...(typeof member === "string" ? [member] : [])]
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("");
  return path === "" ? "document" : path.replace(/^\./, "");
}

function textOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case "additionalProperties":
      return "is not a member of this kind";
    case "required":
      return "is required";
    case "enum":
      return `must be one of ${(params["allowedValues"] as readonly unknown[]).join(", ")}`;
    default:
      return message ?? "is not valid";
  }
}
