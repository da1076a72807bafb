import { groupVersionOf } from "@gatehouse/envelopes/schema";
import { groupsToday, releaseWithout } from "./removed-versions.js";
import type { ServedKinds } from "./served-kinds.js";

/** Says that a kind is not served, in the words of kubectl, and which versions take its place. */
export function missingKindMessage(apiVersion: string, kind: string, kinds: ServedKinds): string {
  const message = `no matches for kind "${kind}" in version "${apiVersion}"`;
  const release = releaseWithout(apiVersion, kind);
  const removal = release === undefined ? [] : [`not served since Kubernetes ${release}`];
  const served = groupsToday(groupVersionOf(apiVersion).group).flatMap((group) => kinds.versionsOf(group, kind));
  const others = served.length === 0 ? [] : [`use ${served.join(" or ")}`];
  const advice = [...removal, ...others].join("; ");
  return advice === "" ? message : `${message}: ${advice}`;
}
