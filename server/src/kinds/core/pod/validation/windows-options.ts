import { type FieldErrors, type FieldPath, validateFormat } from "@gatehouse/apiserver/validation";
import { booleanAt, isSet, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import type { PodOptions } from "./pod-options.js";

/** Limit on a GMSA credential spec, in bytes. */
const maxCredentialSpec = 64 * 1024;
const maxDomain = 256;
const maxUser = 104;

/** Validates the Windows options of a pod or container. */
export function validateWindowsOptions(options: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (isSet(options, "gmsaCredentialSpecName")) {
    const name = textAt(options, "gmsaCredentialSpecName");
    validateFormat(name, validateDns1123Subdomain, path.child("gmsaCredentialSpecName"), errors);
  }
  if (isSet(options, "gmsaCredentialSpec")) {
    const spec = textAt(options, "gmsaCredentialSpec");
    if (spec === "") {
      errors.invalid(path.child("gmsaCredentialSpec"), spec, "gmsaCredentialSpec cannot be an empty string");
    } else if (Buffer.byteLength(spec) > maxCredentialSpec) {
      errors.invalid(path.child("gmsaCredentialSpec"), spec, "gmsaCredentialSpec size must be under 64 KiB");
    }
  }
  if (isSet(options, "runAsUserName")) {
    const name = textAt(options, "runAsUserName");
    for (const problem of userNameProblems(name)) {
      errors.invalid(path.child("runAsUserName"), name, `runAsUserName${problem}`);
    }
  }
}

/** The form of a NetBIOS domain: at most 15 characters, some of them forbidden. */
const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const dnsLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const dnsDomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);

/** Returns the problems of `user` or `domain\user`, as the ends of messages that begin with the member's name. */
function userNameProblems(name: string): string[] {
  if (name === "") {
    return [" cannot be an empty string"];
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are looked for.
  if (/[\x00-\x1f\x7f]/.test(name)) {
    return [" cannot contain control characters"];
  }
  const parts = name.split("\\", 3);
  if (parts.length > 2) {
    return [" cannot contain more than one backslash"];
  }
  const user = parts.at(-1) ?? "";
  return [...(parts.length === 2 ? domainProblems(parts[0] ?? "") : []), ...userProblems(user)];
}

function domainProblems(domain: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(domain) >= maxDomain) {
    problems.push(`'s Domain length must be under ${maxDomain} characters`);
  }
  if (!netBiosDomain.test(domain) && !dnsDomain.test(domain)) {
    problems.push("'s Domain doesn't match the NetBios nor the DNS format");
  }
  return problems;
}

function userProblems(user: string): string[] {
  const problems: string[] = [];
  if (user === "") {
    problems.push("'s User cannot be empty");
  } else if (Buffer.byteLength(user) > maxUser) {
    problems.push(`'s User length must not be longer than ${maxUser} characters`);
  }
  if (/^[. ]+$/.test(user)) {
    problems.push("'s User cannot contain only periods or spaces");
  }
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push(`'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return problems;
}

const hostProcess = ["securityContext", "windowsOptions", "hostProcess"] as const;

/** Validates that either all containers are host processes, or none is. */
export function validateHostProcesses(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  const ofPod = isSet(spec, ...hostProcess) ? booleanAt(spec, ...hostProcess) : undefined;
  let containers = 0;
  let onHost = 0;
  for (const list of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const [index, container] of listAt(spec, list).entries()) {
      containers++;
      const own = isSet(container, ...hostProcess) ? booleanAt(container, ...hostProcess) : undefined;
      if (ofPod !== undefined && own !== undefined && ofPod !== own && !errors.isFull) {
        errors.invalid(
          hostProcess.reduce((at, name) => at.child(name), path.child(list).index(index)),
          own,
          `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
        );
      }
      onHost += (own ?? ofPod) === true ? 1 : 0;
    }
  }
  if (onHost === 0) {
    return;
  }
  if (onHost !== containers) {
    errors.invalid(
      path,
      "",
      "If pod contains any hostProcess containers then all containers must be HostProcess containers",
    );
  }
  if (!booleanAt(spec, "hostNetwork")) {
    const detail = "hostNetwork must be true if pod contains any hostProcess containers";
    errors.invalid(path.child("hostNetwork"), false, detail);
  }
  if (!options.allowPrivileged) {
    errors.forbidden(path, "hostProcess containers are disallowed by cluster policy");
  }
}
