import { pathOf, type Target, targetOf, textOf } from "../events/target.js";
import type { AuditEvent } from "../sink/types.js";
import { shellQuote } from "./shell-quote.js";

/** Names of resources, subresources, namespaces and objects, as paths can hold them; none begins like a flag. */
const safeName = /^[A-Za-z0-9][A-Za-z0-9._:@-]*$/;

/** Subresources that `kubectl get`, `patch` and `replace` take by `--subresource`. */
const kubectlSubresources: ReadonlySet<string> = new Set(["status", "scale"]);

/** A request with what its URL says, made ready to be written as a command. */
interface Request {
  readonly event: AuditEvent;
  readonly target: Target;
  readonly query: URLSearchParams;
  readonly flags: readonly string[];
}

/**
 * Writes a kubectl command that does what the request did. Undefined where there is none: for verbs and names that
 * kubectl does not know, and for writes whose body was not recorded.
 */
export function kubectlCommand(event: AuditEvent): string | undefined {
  const uri = textOf(event.requestURI);
  const target = targetOf(event);
  const words = target === undefined ? rawCommand(event, uri) : resourceCommand(event, uri, target);
  return words?.join(" ");
}

function resourceCommand(event: AuditEvent, uri: string, target: Target): readonly string[] | undefined {
  const names = [target.resource, target.group, target.subresource, target.namespace, target.name];
  if (!names.every((name) => name === "" || safeName.test(name))) {
    return undefined;
  }
  const query = new URLSearchParams(uri.split("?")[1] ?? "");
  const flags = [
    ...(target.namespace === "" || target.resource === "namespaces" ? [] : [`--namespace=${target.namespace}`]),
    ...(target.subresource === "" ? [] : [`--subresource=${target.subresource}`]),
    ...(query.getAll("dryRun").includes("All") ? ["--dry-run=server"] : []),
    ...asFlags(event),
  ];
  const request: Request = { event, target, query, flags };
  if (target.subresource !== "" && !kubectlSubresources.has(target.subresource)) {
    return rawCommand(event, uri);
  }
  const byVerb: Readonly<Record<string, (request: Request) => readonly string[] | undefined>> = {
    get: readCommand,
    list: readCommand,
    watch: (each) => readCommand(each)?.concat("--watch"),
    create: (each) => fileCommand(each, "create"),
    update: (each) => fileCommand(each, "replace"),
    patch: patchCommand,
    delete: deleteCommand,
    deletecollection: deleteCommand,
  };
  const verb = textOf(event.verb);
  return Object.hasOwn(byVerb, verb) ? byVerb[verb]?.(request) : undefined;
}

function readCommand({ target, query, flags }: Request): readonly string[] {
  // Harmless for resources that are in no namespace.
  const everywhere = target.name === "" && target.namespace === "" ? ["--all-namespaces"] : [];
  return ["kubectl get", plural(target), ...nameOf(target), ...everywhere, ...selectors(query), ...flags];
}

function deleteCommand({ target, query, flags }: Request): readonly string[] {
  const chosen = selectors(query);
  const all = target.name === "" && chosen.length === 0 ? ["--all"] : [];
  return ["kubectl delete", plural(target), ...nameOf(target), ...all, ...chosen, ...flags];
}

function fileCommand({ event, flags }: Request, command: string): readonly string[] | undefined {
  return isObject(event.requestObject)
    ? [`printf %s ${shellQuote(JSON.stringify(event.requestObject))} |`, `kubectl ${command}`, ...flags, "--filename=-"]
    : undefined;
}

function patchCommand(request: Request): readonly string[] | undefined {
  const { event, target, query, flags } = request;
  const body = event.requestObject;
  if (typeof body !== "object" || body === null) {
    return undefined;
  }
  const manager = query.get("fieldManager");
  if (manager !== null && isObject(body) && "apiVersion" in body && "kind" in body) {
    const force = query.get("force") === "true" ? ["--force-conflicts"] : [];
    return fileCommand(request, "apply --server-side")?.concat(`--field-manager=${shellQuote(manager)}`, ...force);
  }
  const patch = shellQuote(JSON.stringify(body));
  return [
    "kubectl patch",
    plural(target),
    ...nameOf(target),
    ...flags,
    `--type=${patchType(body, target)}`,
    `--patch=${patch}`,
  ];
}

/** Events do not tell the type of a patch. Custom resources have no strategic merge; kubectl takes that for all others. */
function patchType(body: object, { group }: Target): string {
  if (Array.isArray(body)) {
    return "json";
  }
  return group.includes(".") && !group.endsWith(".k8s.io") ? "merge" : "strategic";
}

/** Reads and deletes any path; writes what was recorded to it. */
function rawCommand(event: AuditEvent, uri: string): readonly string[] | undefined {
  if (!pathOf(event).startsWith("/")) {
    return undefined;
  }
  const raw = `--raw=${shellQuote(uri)}`;
  const verb = textOf(event.verb);
  if (verb === "get" || verb === "list") {
    return ["kubectl get", raw, ...asFlags(event)];
  }
  if (verb === "delete") {
    return ["kubectl delete", raw, ...asFlags(event)];
  }
  const write =
    verb === "create" || verb === "post" ? "create" : verb === "update" || verb === "put" ? "replace" : undefined;
  return write === undefined || !isObject(event.requestObject)
    ? undefined
    : [
        `printf %s ${shellQuote(JSON.stringify(event.requestObject))} |`,
        `kubectl ${write}`,
        raw,
        ...asFlags(event),
        "--filename=-",
      ];
}

function asFlags({ impersonatedUser }: AuditEvent): readonly string[] {
  const user = textOf(impersonatedUser?.username);
  const groups = Array.isArray(impersonatedUser?.groups) ? impersonatedUser.groups.map(textOf) : [];
  return user === "" ? [] : [`--as=${shellQuote(user)}`, ...groups.map((group) => `--as-group=${shellQuote(group)}`)];
}

function selectors(query: URLSearchParams): readonly string[] {
  const flags = [
    ["labelSelector", "--selector"],
    ["fieldSelector", "--field-selector"],
  ] as const;
  return flags.flatMap(([name, flag]) => {
    const value = query.get(name) ?? "";
    return value === "" ? [] : [`${flag}=${shellQuote(value)}`];
  });
}

function plural({ resource, group }: Target): string {
  return group === "" ? resource : `${resource}.${group}`;
}

function nameOf({ name }: Target): readonly string[] {
  return name === "" ? [] : [name];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
