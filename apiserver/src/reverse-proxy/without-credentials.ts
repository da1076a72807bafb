import type { RequestHeaderOptions } from "../authentication/request-header.js";
import { withoutTokenProtocol } from "../authentication/tokens/websocket-token.js";
import type { HeaderFields } from "../request/header-fields.js";
import { filterFields, valuesOf, withField } from "./forwarded-fields.js";

/** Headers by which front proxies name a user, whether or not any is configured. */
const standard: Pick<RequestHeaderOptions, "usernameHeaders" | "groupHeaders" | "extraHeaderPrefixes"> = {
  usernameHeaders: ["X-Remote-User"],
  groupHeaders: ["X-Remote-Group"],
  extraHeaderPrefixes: ["X-Remote-Extra-"],
};

/**
 * Returns a function that removes from a request everything by which its user was found: a backend must neither learn the
 * credentials of a client nor take its word for who it is.
 */
export function withoutCredentials(
  requestHeader: RequestHeaderOptions | undefined,
): (fields: HeaderFields) => string[] {
  const all = [standard, ...(requestHeader === undefined ? [] : [requestHeader])];
  const names = new Set(
    ["authorization", ...all.flatMap(({ usernameHeaders, groupHeaders }) => [...usernameHeaders, ...groupHeaders])].map(
      (name) => name.toLowerCase(),
    ),
  );
  const prefixes = ["impersonate-", ...all.flatMap(({ extraHeaderPrefixes }) => extraHeaderPrefixes)].map((prefix) =>
    prefix.toLowerCase(),
  );
  const isKept = (name: string): boolean => !names.has(name) && !prefixes.some((prefix) => name.startsWith(prefix));
  return (fields) => {
    const kept = filterFields(fields, isKept);
    const protocols = valuesOf(kept, "sec-websocket-protocol");
    return protocols.length === 0
      ? kept
      : withField(kept, "Sec-WebSocket-Protocol", withoutTokenProtocol(protocols.join(",")));
  };
}
