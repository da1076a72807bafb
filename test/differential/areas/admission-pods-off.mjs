// As `admission-pods`, for the plugins that are off by default. Both servers run with
//   --enable-admission-plugins=AlwaysAdmit,SecurityContextDeny,LimitPodHardAntiAffinityTopology,NodeRestriction,AlwaysPullImages,PodNodeSelector,PodTolerationRestriction,ExtendedResourceToleration,PersistentVolumeLabel
//   --feature-gates=SecurityContextDeny=true --admission-control-config-file=lib/admission-pods-off/admission.yaml --token-auth-file=lib/admission-pods-off/tokens.csv
import { broadSample } from "../lib/admission-pods/sample.mjs";
import { view } from "../lib/admission-pods/view.mjs";
import { kubeletCases } from "../lib/admission-pods-off/kubelet.mjs";
import { podCases } from "../lib/admission-pods-off/pods.mjs";
import { volumeCases } from "../lib/admission-pods-off/volumes.mjs";

function* all() {
  for (const generate of [podCases, volumeCases, kubeletCases]) {
    for (const { name, steps } of generate()) {
      yield { name, steps, independent: true };
    }
  }
}

export async function* cases() {
  yield* all();
}

/** Yields the sequences to record: of those that leave nothing behind every third. */
export function* sequences() {
  yield* broadSample([...all()]);
}

export { view as comparable };
