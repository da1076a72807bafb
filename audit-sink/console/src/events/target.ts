import type { AuditEvent } from "../sink/types.js";

/** The thing that a request was about. Texts are empty where there is none. */
export interface Target {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns texts and numbers as text, and nothing for any other value. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Returns the resource as kubectl writes it, `deployments.apps/scale`; the path where there is none. */
export function resourceOf(event: AuditEvent): string {
  const target = targetOf(event);
  return target === undefined ? pathOf(event) : resourceText(target);
}

/** Returns `deployments.apps/scale`. */
export function resourceText({ group, resource, subresource }: Target): string {
  return `${resource}${group === "" ? "" : `.${group}`}${subresource === "" ? "" : `/${subresource}`}`;
}

/** Returns namespace and name, as far as there are any. A namespace as a whole ends with a slash. */
export function objectOf(event: AuditEvent): string {
  const namespace = namespaceOf(event);
  const { name = "" } = targetOf(event) ?? {};
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** Returns the namespace that the object is in. A Namespace is in none. */
export function namespaceOf(event: AuditEvent): string {
  const { resource = "", namespace = "" } = targetOf(event) ?? {};
  return resource === "namespaces" ? "" : namespace;
}

/** Returns the path of the request, without its query. */
export function pathOf({ requestURI }: AuditEvent): string {
  return textOf(requestURI).split("?")[0] ?? "";
}

/** Returns the thing that the request was about; undefined when that is no resource. */
export function targetOf(event: AuditEvent): Target | undefined {
  const { objectRef } = event;
  const resource = textOf(objectRef?.resource);
  return resource === ""
    ? targetOfPath(pathOf(event))
    : {
        group: textOf(objectRef?.apiGroup),
        resource,
        subresource: textOf(objectRef?.subresource),
        namespace: textOf(objectRef?.namespace),
        name: textOf(objectRef?.name),
      };
}

/** Lists and watches of some servers have no objectRef. */
function targetOfPath(path: string): Target | undefined {
  const [, group = "", rest] =
    /^\/api\/v1\/(?:watch\/)?()(.+)$/.exec(path) ?? /^\/apis\/([^/]+)\/[^/]+\/(?:watch\/)?(.+)$/.exec(path) ?? [];
  if (rest === undefined) {
    return undefined;
  }
  const parts = rest.split("/");
  const isNamespaced = parts[0] === "namespaces" && parts.length > 2;
  const [namespace, resource, name = "", subresource = ""] = isNamespaced ? parts.slice(1) : ["", ...parts];
  return { group, resource: resource ?? "", subresource, namespace: namespace ?? "", name };
}
