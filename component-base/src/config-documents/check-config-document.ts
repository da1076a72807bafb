import {
  apiVersionOf,
  type GroupVersionKind,
  type JsonObject,
  jsonSchemaOf,
  type KindSchema,
  kindSchema,
} from "@gatehouse/envelopes";
import type { ErrorObject, ValidateFunction } from "ajv";
import { ConfigurationError, type Problem, problemAt } from "../problems/configuration-error.js";
import type { ConfigDocument } from "./config-document.js";

const validators = new Map<KindSchema, ValidateFunction>();

/**
 * Checks a document against the kinds that it may be of, strictly: unknown members, wrong types and missing members are
 * problems, each with its path. Returns the content, whose apiVersion and kind say which of the kinds it is.
 */
export async function checkConfigDocument<T extends object>(
  { subject, content }: ConfigDocument,
  kinds: readonly GroupVersionKind[],
): Promise<T> {
  const kind = kindOf(content, kinds);
  if (kind === undefined) {
    throw new ConfigurationError(subject, [kindProblem(content, kinds)]);
  }
  const validate = await validatorOf(kind);
  if (!validate(content)) {
    throw new ConfigurationError(subject, problemsOf(validate.errors ?? []));
  }
  return content as T;
}

function kindOf(content: JsonObject, kinds: readonly GroupVersionKind[]): KindSchema | undefined {
  const named = kinds.find((kind) => apiVersionOf(kind) === content["apiVersion"] && kind.kind === content["kind"]);
  return named === undefined ? undefined : kindSchema(named.group, named.version, named.kind);
}

function kindProblem(content: JsonObject, kinds: readonly GroupVersionKind[]): Problem {
  const wanted = kinds.map((kind) => `${kind.kind} of ${apiVersionOf(kind)}`).join(" or ");
  const { apiVersion, kind } = content;
  return apiVersion === undefined || kind === undefined
    ? problemAt(apiVersion === undefined ? "apiVersion" : "kind", `is required: the document must be a ${wanted}`)
    : problemAt("kind", `${JSON.stringify(kind)} of ${JSON.stringify(apiVersion)} is not a ${wanted}`);
}

async function validatorOf(kind: KindSchema): Promise<ValidateFunction> {
  let validate = validators.get(kind);
  if (validate === undefined) {
    // Most processes are configured by flags alone, and start faster without it.
    const { Ajv } = await import("ajv");
    validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(jsonSchemaOf(kind));
    validators.set(kind, validate);
  }
  return validate;
}

/** Where a member may be absent, "must be null" stands beside every other problem with it, and helps nobody. */
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
