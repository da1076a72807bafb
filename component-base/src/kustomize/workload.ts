import type { JsonObject } from "@gatehouse/envelopes/json";

/** A program behind a Service of the same name, which serves HTTPS on the port `servingPort`. */
export interface ServedProgram {
  readonly name: string;
  readonly namespace: string;
}

/** The port of the container of a program. */
export const servingPort = 8443;

/** The folder in which a program finds the certificate that it serves with. */
export const servingFolder = "/etc/gatehouse/tls";

/** Returns the name of the Secret that a program serves from. */
export function servingSecret({ name }: ServedProgram): string {
  return `${name}-tls`;
}

/** Returns the labels of the pods of a program. */
export function podLabels({ name }: ServedProgram): JsonObject {
  return { "app.kubernetes.io/name": name };
}

/** The parts of a container that all programs share: Pod Security's level `restricted`, and what they may use. */
export const restrictedContainer = {
  resources: { requests: { cpu: "50m", memory: "96Mi" }, limits: { memory: "768Mi" } },
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  },
} satisfies JsonObject;

/** The parts of a container that serves: its port, and the probes of `/readyz` and `/livez`. */
export const servingContainer = {
  ports: [{ name: "https", containerPort: servingPort }],
  readinessProbe: probe("/readyz"),
  livenessProbe: probe("/livez"),
} satisfies JsonObject;

function probe(path: string): JsonObject {
  return { httpGet: { path, port: "https", scheme: "HTTPS" }, periodSeconds: 5 };
}

/** Returns the arguments by which a program serves from its Secret. */
export function servingArguments(): readonly string[] {
  return [`--tls-cert-file=${servingFolder}/tls.crt`, `--tls-private-key-file=${servingFolder}/tls.key`];
}

/** Returns the mount and the volume of the Secret of a program. */
export function servingVolume(program: ServedProgram): { readonly mount: JsonObject; readonly volume: JsonObject } {
  return {
    mount: { name: "tls", mountPath: servingFolder, readOnly: true },
    volume: { name: "tls", secret: { secretName: servingSecret(program) } },
  };
}

/** Returns the Service in front of a program. */
export function service(program: ServedProgram): JsonObject {
  const { name, namespace } = program;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: { selector: podLabels(program), ports: [{ name: "https", port: 443, targetPort: "https" }] },
  };
}

/** Returns a PodDisruptionBudget that takes the pods of a program away one by one. */
export function disruptionBudget(program: ServedProgram): JsonObject {
  const { name, namespace } = program;
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace },
    spec: { maxUnavailable: 1, selector: { matchLabels: podLabels(program) } },
  };
}
