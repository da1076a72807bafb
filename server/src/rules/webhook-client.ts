import { checkDns1123Subdomain } from "@gatehouse/envelopes";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";

const form = "; desired format: https://host[/path]";

/** The address of a webhook outside of the cluster. */
export function checkWebhookUrl(text: string, path: FieldPath, errors: FieldErrors): void {
  const url = splitUrl(text);
  if (typeof url === "string") {
    errors.required(path, `url must be a valid URL: ${url}${form}`);
    return;
  }
  if (url.scheme !== "https") {
    errors.invalid(path, url.scheme, `'https' is the only allowed URL scheme${form}`);
  }
  if (url.host === "") {
    errors.invalid(path, url.host, `host must be specified${form}`);
  }
  if (url.user !== undefined) {
    errors.invalid(path, url.user, "user information is not permitted in the URL");
  }
  if (url.fragment !== "") {
    errors.invalid(path, url.fragment, "fragments are not permitted in the URL");
  }
  if (url.query !== "") {
    errors.invalid(path, url.query, "query parameters are not permitted in the URL");
  }
}

/** A webhook inside of the cluster. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path: string | undefined;
  readonly port: number;
}

/** Where in the cluster a webhook is asked. */
export function checkWebhookService(service: WebhookService, path: FieldPath, errors: FieldErrors): void {
  if (service.name === "") {
    errors.required(path.child("name"), "service name is required");
  }
  if (service.namespace === "") {
    errors.required(path.child("namespace"), "service namespace is required");
  }
  if (service.port < 1 || service.port > 65535) {
    errors.invalid(path.child("port"), service.port, "port is not valid: must be between 1 and 65535, inclusive");
  }
  if (service.path !== undefined) {
    checkUrlPath(service.path, path.child("path"), errors);
  }
}

function checkUrlPath(urlPath: string, path: FieldPath, errors: FieldErrors): void {
  if (urlPath === "/" || urlPath === "") {
    return;
  }
  if (urlPath === "//") {
    errors.invalid(path, urlPath, "segment[0] may not be empty");
    return;
  }
  if (!urlPath.startsWith("/")) {
    errors.invalid(path, urlPath, "must start with a '/'");
  }
  const steps = urlPath.slice(1).replace(/\/$/, "").split("/");
  for (const [index, step] of steps.entries()) {
    if (errors.isFull) {
      return;
    }
    if (step === "") {
      errors.invalid(path, urlPath, `segment[${index}] may not be empty`);
      continue;
    }
    for (const problem of checkDns1123Subdomain(step)) {
      errors.invalid(path, urlPath, `segment[${index}]: ${problem}`);
    }
  }
}

interface UrlParts {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

/** Takes a URL apart as Go does; what is wrong with it, when it is none. */
function splitUrl(text: string): UrlParts | string {
  const wrong = (problem: string): string => `parse ${JSON.stringify(text)}: ${problem}`;
  if (/[\u0000-\u001f\u007f]/.test(text)) {
    return wrong("net/url: invalid control character in URL");
  }
  const [beforeFragment = "", fragment = ""] = cut(text, "#");
  const schemeMatch = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(beforeFragment);
  if (schemeMatch === null && beforeFragment.startsWith(":")) {
    return wrong("missing protocol scheme");
  }
  if (schemeMatch === null && /^[^/?]*:/.test(beforeFragment)) {
    return wrong("first path segment in URL cannot contain colon");
  }
  const scheme = (schemeMatch?.[1] ?? "").toLowerCase();
  const [rest = "", query = ""] = cut(beforeFragment.slice(schemeMatch?.[0].length ?? 0), "?");
  if (!rest.startsWith("//")) {
    return { scheme, user: undefined, host: "", query, fragment };
  }
  const authority = /^\/\/([^/]*)/.exec(rest)?.[1] ?? "";
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  const port = /:([^\]]*)$/.exec(host)?.[1];
  if (port !== undefined && !/^\d*$/.test(port)) {
    return wrong(`invalid port ${JSON.stringify(`:${port}`)} after host`);
  }
  if (/[ <>"\\^`{|}]/.test(host)) {
    const bad = /[ <>"\\^`{|}]/.exec(host)?.[0] ?? "";
    return wrong(`invalid character ${JSON.stringify(bad)} in host name`);
  }
  return { scheme, user: at < 0 ? undefined : authority.slice(0, at), host, query, fragment };
}

/** What stands before the first `separator`, and what after. */
function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
