import type { coreV1 } from "@gatehouse/envelopes/types";

/** A name of a control, a pod's specification, and the violation in detail; empty for none. */
export type PodSecurityCase = readonly [name: string, spec: Partial<coreV1.PodSpec>, violation: string];

/** Returns a specification with one container `c`. */
export const container = (more: Partial<coreV1.Container>) => ({ containers: [{ name: "c", ...more }] });
/** Returns a specification with one container `c` of this security context. */
export const context = (securityContext: coreV1.SecurityContext) => container({ securityContext });

/** The security context of a container that keeps to the restricted level. */
export const good: coreV1.SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

/** Pods that violate the baseline level. */
export const baseline: readonly PodSecurityCase[] = [
  ["host namespaces", { hostNetwork: true, hostIPC: true }, "host namespaces (hostNetwork=true, hostIPC=true)"],
  [
    "privileged containers",
    context({ privileged: true }),
    'privileged (container "c" must not set securityContext.privileged=true)',
  ],
  [
    "capabilities",
    context({ capabilities: { add: ["SYS_TIME", "CHOWN"] } }),
    'non-default capabilities (container "c" must not include "SYS_TIME" in securityContext.capabilities.add)',
  ],
  ["hostPath volumes", { volumes: [{ name: "v", hostPath: { path: "/" } }] }, 'hostPath volumes (volume "v")'],
  [
    "host ports",
    container({ ports: [{ containerPort: 1, hostPort: 80 }] }),
    'hostPort (container "c" uses hostPort 80)',
  ],
  [
    "SELinux",
    context({ seLinuxOptions: { type: "t", user: "u" } }),
    'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "t"; user may not be set)',
  ],
  [
    "/proc mount type",
    context({ procMount: "Unmasked" }),
    'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  ],
  [
    "seccomp",
    context({ seccompProfile: { type: "Unconfined" } }),
    'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    "sysctls",
    { securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } },
    "forbidden sysctls (kernel.msgmax)",
  ],
  [
    "HostProcess",
    { securityContext: { windowsOptions: { hostProcess: true } } },
    "hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)",
  ],
];

/** Pods that violate the restricted level, and one that does not. */
export const restricted: readonly PodSecurityCase[] = [
  ["nothing to object to", context(good), ""],
  [
    "privilege escalation",
    context({ ...good, allowPrivilegeEscalation: true }),
    'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  ],
  [
    "capabilities",
    context({ ...good, capabilities: { add: ["CHOWN"] } }),
    'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]; container "c" must not include "CHOWN" in securityContext.capabilities.add)',
  ],
  [
    "volume types",
    { ...context(good), volumes: [{ name: "v", nfs: { server: "s", path: "/" } }] },
    'restricted volume types (volume "v" uses restricted volume type "nfs")',
  ],
  [
    "running as non-root",
    context({ ...good, runAsNonRoot: false }),
    'runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false)',
  ],
  ["running as a user", context({ ...good, runAsUser: 0 }), 'runAsUser=0 (container "c" must not set runAsUser=0)'],
  [
    "seccomp",
    { ...context({ allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, runAsNonRoot: true }) },
    'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
];
