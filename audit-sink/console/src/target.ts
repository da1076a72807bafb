import type { AuditEvent } from "./types.js";

/** What a request was for. Texts are empty where there is none. */
interface Target {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** What is shown for a value that may be anything: texts and numbers as they are, nothing for the rest. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** As kubectl writes resources, `deployments.apps/scale`; the path where there is none. */
export function resourceOf(event: AuditEvent): string {
  const target = targetOf(event);
  if (target === undefined) {
    return pathOf(event);
  }
  const { group, resource, subresource } = target;
  return `${resource}${group === "" ? "" : `.${group}`}${subresource === "" ? "" : `/${subresource}`}`;
}

/** Namespace and name, as far as there are any. What is in a namespace as a whole ends with a slash. */
export function objectOf(event: AuditEvent): string {
  const { resource = "", namespace = "", name = "" } = targetOf(event) ?? {};
  return namespace === "" || resource === "namespaces" ? name : `${namespace}/${name}`;
}

function pathOf({ requestURI }: AuditEvent): string {
  return textOf(requestURI).split("?")[0] ?? "";
}

function targetOf(event: AuditEvent): Target | undefined {
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
