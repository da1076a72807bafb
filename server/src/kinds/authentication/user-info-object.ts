import type { UserInfo } from "@gatehouse/apiserver/request";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** Returns a user as reviews show it; empty members are left out. */
export function userInfoObject({ username, uid, groups, extra }: UserInfo): JsonObject {
  const entries = Object.entries(extra ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    username,
    ...(uid === undefined || uid === "" ? {} : { uid }),
    groups: [...groups],
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries.map(([key, values]) => [key, [...values]])) }),
  };
}
