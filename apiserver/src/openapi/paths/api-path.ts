import type { GroupVersionKind } from "@gatehouse/envelopes/schema";

/** A path with what can be done there, in no particular OpenAPI version. */
export interface ApiPath {
  /** The path with parameters in braces: `/apis/apps/v1/namespaces/{namespace}/deployments/{name}`. */
  readonly path: string;
  /** Parameters of every operation. */
  readonly parameters: readonly ApiParameter[];
  readonly operations: readonly ApiOperation[];
}

/** An HTTP method as both OpenAPI versions spell it. */
export type HttpMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch";

/** The operation of a method at a path. */
export interface ApiOperation {
  readonly method: HttpMethod;
  readonly operationId: string;
  /** The description; empty for none. */
  readonly description: string;
  readonly tag: string;
  /** The value of `x-kubernetes-action`; undefined for operations without a resource. */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** Parameters besides those of the path. */
  readonly parameters: readonly ApiParameter[];
  readonly body?: { readonly type: DefinitionOf; readonly required: boolean };
  readonly responses: readonly ApiResponse[];
}

/** A parameter in the path or behind the question mark. */
export interface ApiParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description: string;
  readonly type: "string" | "boolean" | "integer";
}

/** An answer that an operation may give. Without a type its body is not described. */
export interface ApiResponse {
  readonly code: number;
  readonly description: string;
  readonly type?: DefinitionOf;
}

/** The definition of a body: that of a kind, a patch, plain text, or the version. */
export type DefinitionOf = GroupVersionKind | "patch" | "text" | "version";

/** Moves parameters that all operations have in common to the path, as v1.29 does. */
export function apiPath(
  path: string,
  pathParameters: readonly ApiParameter[],
  operations: readonly ApiOperation[],
): ApiPath {
  const [first, ...others] = operations;
  const common = (first?.parameters ?? []).filter((parameter) =>
    others.every((operation) => operation.parameters.includes(parameter)),
  );
  return {
    path,
    parameters: [...pathParameters, ...common].sort(byName),
    operations: operations.map((operation) => ({
      ...operation,
      parameters: operation.parameters.filter((parameter) => !common.includes(parameter)).sort(byName),
    })),
  };
}

function byName(a: ApiParameter, b: ApiParameter): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
