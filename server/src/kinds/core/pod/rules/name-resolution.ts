import { ipFamilyOf } from "@gatehouse/apiserver/options";
import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { checkSubdomainText } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes";

/** What resolvers take (resolv.conf). The search list is counted in bytes, with spaces between its items. */
const maxNameservers = 3;
const maxSearches = 32;
const maxSearchBytes = 2048;

/** Name servers and search paths of a pod; one that inherits none must bring its own. */
export function checkDnsConfig(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
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
  checkSearches(config, path.child("searches"), errors);
  for (const [index, option] of listAt(config, "options").entries()) {
    if (errors.isFull) {
      return;
    }
    if (textAt(option, "name") === "") {
      errors.required(path.child("options").index(index), "must not be empty");
    }
  }
}

function checkSearches(config: JsonObject, path: FieldPath, errors: FieldErrors): void {
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
    checkSubdomainText(search.endsWith(".") ? search.slice(0, -1) : search, path.index(index), errors);
  }
}

/** Lines of the pod's hosts file. v1.29 tells what is wrong with them without an index. */
export function checkHostAliases(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
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
      checkSubdomainText(String(hostname ?? ""), path.child("hostnames"), errors);
    }
  }
}
