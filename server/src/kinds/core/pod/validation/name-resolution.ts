import { ipFamilyOf } from "@gatehouse/apiserver/options";
import { type FieldErrors, type FieldPath, validateSubdomainText } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

/** Limits of resolvers (resolv.conf). The search list is counted in bytes, with spaces between its items. */
const maxNameservers = 3;
const maxSearches = 32;
const maxSearchBytes = 2048;

/** Validates the DNS configuration of a pod, which `dnsPolicy` None requires. */
export function validateDnsConfig(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const config = objectAt(spec, "dnsConfig");
  const servers = listAt(config, "nameservers");
  if (textAt(spec, "dnsPolicy") === "None") {
    if (!isSet(spec, "dnsConfig")) {
      errors.required(path, "must provide `dnsConfig` when `dnsPolicy` is None");
      return;
    }
    if (servers.length === 0) {
      const detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
      errors.required(path.child("nameservers"), detail);
      return;
    }
  }
  if (servers.length > maxNameservers) {
    errors.invalid(path.child("nameservers"), [...servers], `must not have more than ${maxNameservers} nameservers`);
  }
  for (const [index, server] of servers.entries()) {
    if (errors.isFull) {
      return;
    }
    if (ipFamilyOf(String(server ?? "")) === undefined) {
      errors.invalid(path.child("nameservers").index(index), String(server ?? ""), "must be valid IP address");
    }
  }
  validateSearches(config, path.child("searches"), errors);
  for (const [index, option] of listAt(config, "options").entries()) {
    if (errors.isFull) {
      return;
    }
    if (textAt(option, "name") === "") {
      errors.required(path.child("options").index(index), "must not be empty");
    }
  }
}

function validateSearches(config: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const searches = listAt(config, "searches").map((search) => String(search ?? ""));
  if (searches.length > maxSearches) {
    errors.invalid(path, searches, `must not have more than ${maxSearches} search paths`);
  }
  if (Buffer.byteLength(searches.join(" ")) > maxSearchBytes) {
    const detail = `must not have more than ${maxSearchBytes} characters (including spaces) in the search list`;
    errors.invalid(path, searches, detail);
  }
  for (const [index, search] of searches.entries()) {
    if (errors.isFull) {
      return;
    }
    validateSubdomainText(search.endsWith(".") ? search.slice(0, -1) : search, path.index(index), errors);
  }
}

/** Validates the lines of the pod's hosts file. Errors have v1.29's path, without an index. */
export function validateHostAliases(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  for (const alias of listAt(spec, "hostAliases")) {
    if (errors.isFull) {
      return;
    }
    const ip = textAt(alias, "ip");
    if (ipFamilyOf(ip) === undefined) {
      errors.invalid(path.child("ip"), ip, "must be valid IP address");
    }
    for (const hostname of listAt(alias, "hostnames")) {
      if (errors.isFull) {
        return;
      }
      validateSubdomainText(String(hostname ?? ""), path.child("hostnames"), errors);
    }
  }
}
