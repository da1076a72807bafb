import { jsonTypeName } from "@gatehouse/envelopes/codec";
import { goQuote, isGroupVersion } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { apiVersionOf, groupVersionOf, kindSchema } from "@gatehouse/envelopes/schema";
import { internalPackage } from "../../forms/internal-package.js";
import type { ExpectedKind } from "./expected-kind.js";
import { registeredBesideOptions, registeredType } from "./registered-types.js";

// The kind and the version that a document states, and what v1.29 says when they are not those of the path.

/** Beginning of the messages of v1.29 about a document that is not JSON, or does not state its kind as texts. */
export const noTypeMeta = "couldn't get version/kind; json parse error: ";
const badGroupVersion = "unexpected GroupVersion string: ";

/** Message of v1.29 about an object of a custom kind that has no version. */
export const missingVersion = "Object 'apiVersion' is missing in 'object has no apiVersion field'";

/** Returns the message of v1.29 about a document that states no kind. */
export function missingKind(text: string): string {
  return `Object 'Kind' is missing in '${text}'`;
}

/** Returns the message of v1.29 about a document that is no object. */
export function noObjectProblem(document: JsonValue): string {
  return `${noTypeMeta}json: cannot unmarshal ${jsonTypeName(document)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

const scheme = 'in scheme "pkg/runtime/scheme.go:100"';

/**
 * Returns the reason why a document is none of the expected kind, in v1.29's words; undefined when it is, or states no
 * kind.
 */
export function typeMetaProblem(document: JsonValue, expected: ExpectedKind): string | undefined {
  if (!isJsonObject(document)) {
    return noObjectProblem(document);
  }
  const { apiVersion = null, kind = null } = document;
  for (const [name, value] of [
    ["apiVersion", apiVersion],
    ["kind", kind],
  ] as const) {
    if (value !== null && typeof value !== "string") {
      return `${noTypeMeta}json: cannot unmarshal ${jsonTypeName(value)} into Go struct field .${name} of type string`;
    }
  }
  const said = withoutEmptyGroup(String(apiVersion ?? "")) || apiVersionOf(expected);
  return unexpectedKindProblem(said, String(kind || expected.kind), expected);
}

/** Reports whether a document with a problem of its kind or version does not tell which they are. */
export function isUnreadable(problem: string): boolean {
  return problem.startsWith(noTypeMeta) || problem.startsWith(badGroupVersion);
}

/** Returns the group and version that a document states; empty where it states none. */
export function statedGroupVersion(document: JsonValue): { readonly group: string; readonly version: string } {
  return groupVersionOf(withoutEmptyGroup(textAt(document, "apiVersion")));
}

/** Returns an apiVersion without the slash behind an empty group, which v1.29 takes for none. */
export function withoutEmptyGroup(apiVersion: string): string {
  return /^\/[^/]*$/.test(apiVersion) ? apiVersion.slice(1) : apiVersion;
}

function unexpectedKindProblem(apiVersion: string, kind: string, expected: ExpectedKind): string | undefined {
  const isRightVersion = apiVersion === apiVersionOf(expected) || expected.otherVersions?.includes(apiVersion) === true;
  if (isRightVersion && kind === expected.kind) {
    return undefined;
  }
  if (!isGroupVersion(apiVersion)) {
    return badGroupVersion + apiVersion;
  }
  const { group, version } = groupVersionOf(apiVersion);
  const type = registeredType({ group, version, kind }, expected.group);
  return type === undefined
    ? notRegistered(kind, apiVersion)
    : `converting (${type}) to (${internalPackage(expected.group)}.${expected.kind}): unknown conversion`;
}

function notRegistered(kind: string, apiVersion: string): string {
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} ${scheme}`;
}

/** Returns the version under which a document comes. */
export function saidVersion(document: JsonValue, expected: ExpectedKind): string {
  const { group, version } = statedGroupVersion(document);
  return group === "" && version === "" ? expected.version : version;
}

/**
 * Returns the reason why a document is none of the expected options; undefined when it is. Options are registered in every group
 * version there is, and no other kind is where v1.29 looks for them.
 */
export function optionsProblem(typeMeta: JsonObject, expected: ExpectedKind): string | undefined {
  const problem = typeMetaProblem(typeMeta, expected);
  if (problem === undefined || isUnreadable(problem)) {
    return problem;
  }
  const apiVersion = String(typeMeta["apiVersion"] || apiVersionOf(expected));
  const kind = String(typeMeta["kind"] || expected.kind);
  const { group, version } = groupVersionOf(apiVersion);
  const type = registeredBesideOptions(apiVersion, kind);
  if (type !== undefined) {
    return `converting (${type}) to (v1.${expected.kind}): unknown conversion`;
  }
  const isKnown = kind === expected.kind && kindSchema(group, version, kind) !== undefined;
  return isKnown ? undefined : notRegistered(kind, apiVersion);
}

/**
 * Makes the error for an object that v1.29 cannot handle. `version` comes without its group, as kube-apiserver writes
 * it.
 */
export function cannotBeHandled(kind: string, version: string, as: string, detail: string): string {
  return `${kind} in version ${goQuote(version)} cannot be handled as a ${as}: ${detail}`;
}
