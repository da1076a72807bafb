import { replayRecordedArea } from "./replay-recorded-area.js";

/** The ranges of services, by the name of the recording. */
const ranges = { "ipv4-first": ["10.0.0.0/16", "fd00::/108"], "ipv6-first": ["fd00::/108", "10.0.0.0/16"] } as const;

/** One of so many sequences is replayed for each order of the ranges; the differential sends all of them. */
const part = 16;

for (const [at, [name, [primary, secondary]]] of Object.entries(ranges).entries()) {
  await replayRecordedArea({
    title: `Services of two IP families are completed, refused and changed as v1.29 has done, ${name}`,
    area: "dual-stack",
    recording: `dual-stack-${name}`,
    flags: [
      `--service-cluster-ip-range=${primary},${secondary}`,
      ...(primary.includes(":") ? ["--advertise-address=fd00::2"] : []),
      "--authorization-mode=AlwaysAllow",
      "--controllers=system-namespaces-controller",
    ],
    includes: (_, index) => index % part === at,
  });
}
