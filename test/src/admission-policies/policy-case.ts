/**
 * A request that a case sends. `{ns}` in its path and body stands for the name of the case's own namespace. `WAIT` is a GET
 * that is repeated until it is answered with 200, for requests before the policies.
 */
export interface CaseRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** `admin` may do everything; `jane` (group developers) what a case allows her. Default: admin. */
  readonly as?: "admin" | "jane";
}

/** A policy of a case without what all have in common: it is about ConfigMaps that are created in the case's namespace. */
export interface CasePolicy {
  /** Name, to which that of the namespace is added. Default: `p`. */
  readonly name?: string;
  /** Members of the spec, over those that every policy has. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Bindings, by members of their spec over those that every binding has; default: one that denies. */
  readonly bindings?: readonly Readonly<Record<string, unknown>>[];
}

/** Some policies, some requests. */
export interface PolicyCase {
  readonly name: string;
  /** Requests before the policies are created. */
  readonly before?: readonly CaseRequest[];
  readonly policies?: readonly CasePolicy[];
  readonly requests: readonly CaseRequest[];
  /** Requests after the others, for objects in no namespace. */
  readonly after?: readonly CaseRequest[];
}

export const group = "/apis/admissionregistration.k8s.io/v1beta1";
export const configMaps = "/api/v1/namespaces/{ns}/configmaps";

/** Request that creates a ConfigMap. */
export function create(name: string, more: Record<string, unknown> = {}, query = ""): CaseRequest {
  const { metadata = {}, ...rest } = more;
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...(metadata as object) }, ...rest };
  return { method: "POST", path: `${configMaps}${query}`, body };
}

/** Request that replaces the data of a ConfigMap. */
export function patch(name: string, data: Record<string, unknown>): CaseRequest {
  return { method: "PATCH", path: `${configMaps}/${name}`, body: { data } };
}

/** Case with one policy, which denies. */
export function denying(
  name: string,
  spec: Record<string, unknown>,
  requests: readonly CaseRequest[] = [create("a", { data: { a: "1" } })],
  bindings?: CasePolicy["bindings"],
): PolicyCase {
  return { name, policies: [{ spec, ...(bindings === undefined ? {} : { bindings }) }], requests };
}

/** Case that asks whether a policy may be created. */
export function validated(name: string, spec: Record<string, unknown>): PolicyCase {
  return {
    name: `validation: ${name}`,
    requests: [
      { method: "POST", path: `${group}/validatingadmissionpolicies?dryRun=All`, body: policy("p-{ns}", spec) },
    ],
  };
}

/** Returns a policy about ConfigMaps that are created in the case's namespace. */
export function policy(name: string, spec: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { matchConstraints = {}, ...rest } = spec;
  return {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      validations: [{ expression: "false" }],
      ...rest,
      matchConstraints: {
        resourceRules: [rule(["CREATE"], "configmaps")],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } },
        ...(matchConstraints as object),
      },
    },
  };
}

/** Returns a rule about a resource of the core group. */
export function rule(
  operations: readonly string[],
  resource: string,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { operations, apiGroups: [""], apiVersions: ["v1"], resources: [resource], ...more };
}
