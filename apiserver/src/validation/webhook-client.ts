import { GoUrlError } from "@gatehouse/envelopes/errors";
import { type GoUrl, parseGoUrl } from "@gatehouse/envelopes/go";
import { integerAt, isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import type { FieldPath } from "@gatehouse/envelopes/validation";
import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import type { FieldErrors } from "./field-errors.js";
import { validateRequiredText } from "./names.js";
import { rangeText } from "./numbers.js";

/** Validates the client configuration of a webhook, which has either a URL or a service. */
export function validateWebhookClientConfig(config: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const hasUrl = isSet(config, "url");
  if (hasUrl === isSet(config, "service")) {
    errors.required(path, "exactly one of url or service is required");
  } else if (hasUrl) {
    validateWebhookUrl(textAt(config, "url"), path.child("url"), errors);
  } else {
    validateWebhookService((config as { service: JsonValue }).service, path.child("service"), errors);
  }
}

const form = "; desired format: https://host[/path]";

/** Validates an `https` URL of nothing but host and path. */
function validateWebhookUrl(text: string, path: FieldPath, errors: FieldErrors): void {
  const url = parseGoUrl(text);
  if (url instanceof GoUrlError) {
    errors.required(path, `url must be a valid URL: ${url.message}${form}`);
    return;
  }
  if (url.scheme !== "https") {
    errors.invalid(path, url.scheme, `'https' is the only allowed URL scheme${form}`);
  }
  if (url.host === "") {
    errors.invalid(path, url.host, `host must be specified${form}`);
  }
  validateBareUrl(url, path, errors);
}

function validateBareUrl({ user, fragment, query }: GoUrl, path: FieldPath, errors: FieldErrors): void {
  if (user !== undefined) {
    errors.invalid(path, user, "user information is not permitted in the URL");
  }
  if (fragment !== "") {
    errors.invalid(path, fragment, "fragments are not permitted in the URL");
  }
  if (query !== "") {
    errors.invalid(path, query, "query parameters are not permitted in the URL");
  }
}

/** Validates the reference to a service of the cluster, with port and path. */
function validateWebhookService(service: JsonValue, path: FieldPath, errors: FieldErrors): void {
  // v1.29 confuses the two: a missing namespace is reported as a missing name, and vice versa.
  validateRequiredText(textAt(service, "namespace"), path.child("name"), errors, "service name is required");
  validateRequiredText(textAt(service, "name"), path.child("namespace"), errors, "service namespace is required");
  const port = integerAt(service, "port");
  if (port < 1 || port > 65535) {
    errors.invalid(path.child("port"), port, `port is not valid: ${rangeText(1, 65535)}`);
  }
  validateUrlPath(textAt(service, "path"), path.child("path"), errors);
}

// Matches all segments at once: a path may have a million of them.
const plainPath = /^(?:\/(?=[^/]{1,253}(?:\/|$))[a-z0-9]+(?:(?:-+|\.)[a-z0-9]+)*)+\/?$/;

/** Validates a path of segments that are subdomains, with a slash before each and optionally one at the end. */
function validateUrlPath(urlPath: string, path: FieldPath, errors: FieldErrors): void {
  if (urlPath === "" || urlPath === "/" || plainPath.test(urlPath)) {
    return;
  }
  if (urlPath === "//") {
    errors.invalid(path, urlPath, "segment[0] may not be empty");
    return;
  }
  if (!urlPath.startsWith("/")) {
    errors.invalid(path, urlPath, "must start with a '/'");
  }
  // v1.29 takes the first byte for the slash, whatever it is.
  const rest = Buffer.from(urlPath).subarray(1).toString();
  const segments = (rest.endsWith("/") ? rest.slice(0, -1) : rest).split("/");
  for (const [index, segment] of segments.entries()) {
    if (errors.isFull) {
      return;
    }
    const problems = validateDns1123Subdomain(segment).map((problem) => `segment[${index}]: ${problem}`);
    errors.invalidText(path, urlPath, segment === "" ? [`segment[${index}] may not be empty`] : problems);
  }
}
