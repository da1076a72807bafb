import { goQuote } from "@gatehouse/envelopes/go";
import { type FieldError, fieldError, invalid, type StatusError } from "@gatehouse/envelopes/status";

/** Returns a list as Go prints it in a message. */
function goList(type: string, items: readonly string[]): string {
  return items.length === 0 ? `[]${type}(nil)` : `[]${type}{${items.map((item) => goQuote(item)).join(", ")}}`;
}

/** Returns an error about a list of addresses. */
export function invalidAddresses(field: string, addresses: readonly string[], detail: string): FieldError {
  return {
    ...fieldError.invalid(field, "", detail),
    message: `Invalid value: ${goList("string", addresses)}: ${detail}`,
  };
}

/** Returns an error about a list of IP families. */
export function invalidFamilies(field: string, families: readonly string[], detail: string): FieldError {
  return {
    ...fieldError.invalid(field, "", detail),
    message: `Invalid value: ${goList("core.IPFamily", families)}: ${detail}`,
  };
}

/** Returns the 422 for a service whose addresses or ports are invalid or unavailable. */
export function invalidService(name: string, errors: readonly FieldError[]): StatusError {
  return invalid({ group: "", kind: "Service" }, name, errors);
}
