import type { Check, CheckedPod, PodSecurityViolation } from "../check.js";

const since0 = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const since27 = [...since0, "net.ipv4.ip_local_reserved_ports"];
const since29 = [
  ...since27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];

/** The control of sysctls: those that stay within the pod. */
export const sysctls: Check = {
  id: "sysctls",
  level: "baseline",
  versions: [
    { sinceMinor: 0, check: (pod) => setsOther(pod, since0) },
    { sinceMinor: 27, check: (pod) => setsOther(pod, since27) },
    { sinceMinor: 29, check: (pod) => setsOther(pod, since29) },
  ],
};

function setsOther({ spec }: CheckedPod, allowed: readonly string[]): PodSecurityViolation | undefined {
  const bad = (spec.securityContext?.sysctls ?? [])
    .map(({ name }) => name ?? "")
    .filter((name) => !allowed.includes(name));
  return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
}
