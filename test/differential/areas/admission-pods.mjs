// Writes of pods and what belongs to them, to servers with all default admission plugins on: what is set, warned of and
// refused. Generated over the members that the plugins look at.
import { limitRangerCases } from "../lib/admission-pods/limit-ranger.mjs";
import { podSecurityCases } from "../lib/admission-pods/pod-security.mjs";
import { priorityCases } from "../lib/admission-pods/priority.mjs";
import { runtimeClassCases } from "../lib/admission-pods/runtime-class.mjs";
import { serviceAccountCases } from "../lib/admission-pods/service-account.mjs";
import { tolerationCases } from "../lib/admission-pods/tolerations.mjs";
import { view } from "../lib/admission-pods/view.mjs";

/** Cases by plugin; each plugin's begin with what they need. */
export const parts = {
  ServiceAccount: serviceAccountCases,
  LimitRanger: limitRangerCases,
  Priority: priorityCases,
  DefaultTolerationSeconds: tolerationCases,
  RuntimeClass: runtimeClassCases,
  PodSecurity: podSecurityCases,
};

function* all() {
  for (const [plugin, generate] of Object.entries(parts)) {
    for (const { name, steps } of generate()) {
      yield { name: `${plugin}: ${name}`, steps, independent: true };
    }
  }
}

export async function* cases() {
  yield* all();
}

/** Yields the sequences to record: all of them. */
export function* sequences() {
  yield* all();
}

export { view as comparable };
