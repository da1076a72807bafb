import { createHash } from "node:crypto";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type Account, clusterRights, namespacedRights } from "./rbac.js";
import { restrictedContainer, type ServedProgram, servingSecret } from "./workload.js";

/** The container that renews the certificates of a program. */
export interface Rotation {
  readonly program: ServedProgram;
  readonly image: string;
  /** The command in the container; that of the image when absent. */
  readonly command?: readonly string[];
  readonly args: readonly string[];
}

const daySeconds = 24 * 60 * 60;

/** Returns the account of the jobs that renew the certificates of a program. */
export function rotator({ name, namespace }: ServedProgram): Account {
  return { name: `${name}-rotation`, namespace };
}

/**
 * Returns the rights of the jobs that renew certificates: `rules` for what tells API servers the authorities, and the Secret
 * of the program by its name. Creation cannot be limited to a name.
 */
export function rotationRights(program: ServedProgram, rules: readonly JsonObject[]): JsonObject[] {
  const account = rotator(program);
  return [
    ...clusterRights(account, rules),
    ...namespacedRights(account, [
      { apiGroups: [""], resources: ["secrets"], verbs: ["create"] },
      { apiGroups: [""], resources: ["secrets"], resourceNames: [servingSecret(program)], verbs: ["get", "patch"] },
    ]),
  ];
}

/** Returns the jobs that renew the certificates, one at the beginning and one each day; valid certificates are kept. */
export function rotationJobs({ program, image, command, args }: Rotation): JsonObject[] {
  const { name, namespace } = rotator(program);
  const podSpec = {
    serviceAccountName: name,
    restartPolicy: "OnFailure",
    containers: [
      { name: "rotate", image, ...(command && { command: [...command] }), args: [...args], ...restrictedContainer },
    ],
  };
  // The pods of a Job cannot be changed: those of another image are another Job.
  const suffix = createHash("sha256").update(JSON.stringify(podSpec)).digest("hex").slice(0, 8);
  return [
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: `${name}-${suffix}`, namespace },
      spec: { ttlSecondsAfterFinished: daySeconds, template: { spec: podSpec } },
    },
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name, namespace },
      spec: {
        schedule: "17 3 * * *",
        concurrencyPolicy: "Forbid",
        jobTemplate: { spec: { template: { spec: podSpec } } },
      },
    },
  ];
}
