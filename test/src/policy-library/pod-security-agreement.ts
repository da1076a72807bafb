import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type LibraryPolicy, nameOf } from "./library-files.js";
import type { ObjectClient } from "./object-client.js";
import { policyWarnings, warningsOf } from "./warnings.js";

/** The table of requests by which the plugin was compared with v1.29. */
const table = new URL("../../differential/lib/admission-pods/pod-security.mjs", import.meta.url);

/** The beginnings of the violations of controls, which are those of the messages of their policies. */
const reasons = [
  ...["forbidden AppArmor profile", "non-default capabilities (", "host namespaces (", "hostPath volumes ("],
  ...["hostPort (", "privileged (", "procMount (", "seLinuxOptions (", "seccompProfile (", "forbidden sysctls ("],
  ...["hostProcess (", "allowPrivilegeEscalation != false (", "unrestricted capabilities ("],
  ...["restricted volume types (", "runAsNonRoot != true (", "runAsUser=0 ("],
];

/** Policies of the baseline level that the plugin leaves out at the restricted level, where a stricter control holds. */
const replaced: ReadonlySet<string> = new Set(["capabilities-baseline", "host-path-volumes", "seccomp-baseline"]);

/** The result of a comparison. */
export interface Agreement {
  /** The number of pods that were asked about, at both levels. */
  readonly pods: number;
  /** The number of answers that told of a violation. */
  readonly violations: number;
  /** Pods about which the plugin and the policies disagree, as sentences. */
  readonly differences: readonly string[];
}

/**
 * Sends every pod of the plugin's table as a dry run to a namespace of each level, where the plugin and the policies warn
 * of violations, and compares what they warn of. Pods that the server refuses for other reasons are left out. `settleMs`:
 * how long the server may take until policies have effect.
 */
export async function comparePodSecurity(
  client: ObjectClient,
  library: readonly LibraryPolicy[],
  settleMs: number,
): Promise<Agreement> {
  const policies = library.filter(({ file }) => file.startsWith("pod-security-"));
  for (const { policy, binding } of policies) {
    await client.put(policy);
    await client.put({ ...binding, spec: { ...(binding["spec"] as JsonObject), validationActions: ["Warn"] } });
  }
  const pods = await podsOfTable();
  const differences: string[] = [];
  let asked = 0;
  let violations = 0;
  for (const level of ["baseline", "restricted"] as const) {
    const name = `pod-security-${level}`;
    const labels = { "pod-security.kubernetes.io/warn": level };
    await client.put({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
    await pause(settleMs);
    for (const pod of pods) {
      const answer = await client.send({
        method: "POST",
        path: `/api/v1/namespaces/${name}/pods?dryRun=All`,
        body: pod,
      });
      if (answer.status !== 201) {
        continue;
      }
      const warnings = warningsOf(answer);
      const ofPlugin = reasonsIn(warnings.find((text) => text.startsWith("would violate PodSecurity")) ?? "");
      const counted = policyWarnings(answer).filter((text) => counts(text, level, policies));
      const ofPolicies = reasonsIn(counted.join("\n"));
      asked++;
      violations += ofPlugin.length > 0 ? 1 : 0;
      if (ofPlugin.join() !== ofPolicies.join()) {
        differences.push(`${level}: ${JSON.stringify(pod)}: plugin: ${ofPlugin}; policies: ${ofPolicies}`);
      }
    }
  }
  for (const { policy, binding } of policies) {
    await client.remove(binding);
    await client.remove(policy);
  }
  return { pods: asked, violations, differences };
}

async function podsOfTable(): Promise<readonly JsonObject[]> {
  const { podSecurityCases } = (await import(table.href)) as {
    podSecurityCases: () => Iterable<{ steps: readonly { method: string; body: JsonObject }[] }>;
  };
  const pods = new Map<string, JsonObject>();
  for (const { body } of [...podSecurityCases()].flatMap(({ steps }) => steps)) {
    if (body["kind"] === "Pod") {
      const pod = { ...body, metadata: { ...(body["metadata"] as JsonObject), name: "p" } };
      pods.set(JSON.stringify(pod), pod);
    }
  }
  return [...pods.values()];
}

/** Reports whether the plugin would tell of the violation of a policy at a level. */
function counts(warning: string, level: "baseline" | "restricted", policies: readonly LibraryPolicy[]): boolean {
  const found = policies.find(({ policy }) => warning.includes(`'${nameOf(policy)}' with binding`));
  const isOfBaseline = found?.file.startsWith("pod-security-baseline/") === true;
  const [, name = ""] = /([^/]*)\.yaml$/.exec(found?.file ?? "") ?? [];
  return level === "baseline" ? isOfBaseline : !replaced.has(name);
}

function reasonsIn(text: string): readonly string[] {
  return reasons.filter((reason) => text.includes(`: ${reason}`) || text.includes(`, ${reason}`));
}
