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

/** Name of the sequence that is not compared: v1.29 shows more of claims than Gatehouse knows. */
const notShown = "claims in detail";

/** Yields the sequences to record: of those that leave nothing behind every third. */
export function* sequences() {
  yield* broadSample([...all()].filter(({ name }) => name !== notShown));
}

export { view as comparable };
