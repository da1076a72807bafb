#!/usr/bin/env node
// Starts v1.29's server without controllers, and the server of this checkout (built), both on empty stores, with all API
// versions and without the admission plugins that would refuse or change drawn objects. Prints the flags for run.mjs: the
// area `tables`.
//   node test/differential/start-with-all-versions.mjs --oracle FOLDER --dir DIR --port N
//   node test/differential/start-with-all-versions.mjs --oracle FOLDER --dir DIR --stop
// `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's server; DIR is an absolute path. Uses the ports N
// to N + 10.
import { otherControllers, pluginsOff } from "./lib/policies/server-flags.mjs";
import { preparePair, printPair, startGatehouse, startOracle } from "./lib/server-pair.mjs";

/** Gates of the fields and resources that tables show and that are off by default. */
const gates = ["ClusterTrustBundle", "DynamicResourceAllocation", "ValidatingAdmissionPolicy", "VolumeAttributesClass"];

const shared = [
  "--authorization-mode=AlwaysAllow",
  `--feature-gates=${gates.map((gate) => `${gate}=true`).join(",")}`,
  "--runtime-config=api/all=true",
  `--disable-admission-plugins=${pluginsOff.join(",")}`,
];

const pair = await preparePair();
if (pair !== undefined) {
  startOracle(pair, shared);
  const without = [...otherControllers, "validatingadmissionpolicy-status-controller"].map((name) => `-${name}`);
  await startGatehouse(pair, [`--controllers=*,${without.join(",")}`, ...shared]);
  printPair(pair.left, pair.right);
}
