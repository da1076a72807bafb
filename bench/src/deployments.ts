import { benchNamespace } from "./config-maps.js";
import { type LoadRequest, numberMark } from "./load/load-request.js";

/** Bytes of a Deployment as the client sends it, about. */
const objectBytes = 10 * 1024;

const deploymentsPath = `/apis/apps/v1/namespaces/${benchNamespace}/deployments`;

/**
 * A Deployment of 10 KB, as people have them: several containers with environment, ports, probes and mounts. `round` is what
 * changes from one write to the next.
 */
export function deploymentJson(name: string, round: number): string {
  const labels = { app: "bench", tier: "backend" };
  const object = {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: { name, namespace: benchNamespace, labels, annotations: { round: String(round) } },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: "bench" } },
      template: {
        metadata: { labels },
        spec: {
          containers: ["main", "proxy", "metrics"].map((container, index) => containerOf(container, 8080 + index)),
          volumes: ["data", "config"].map((volume) => ({ name: volume, emptyDir: {} })),
        },
      },
    },
  };
  return JSON.stringify(object);
}

const deploymentName = `bench-${numberMark}`;

/** The creation of a numbered Deployment. */
export function deploymentCreation(fieldValidation = "Warn"): LoadRequest {
  const path = `${deploymentsPath}?fieldManager=creator&fieldValidation=${fieldValidation}`;
  return { method: "POST", path, body: deploymentJson(deploymentName, 0) };
}

/** A PUT of one that is there. */
export function deploymentReplacement(round: number): LoadRequest {
  const path = `${deploymentsPath}/${deploymentName}?fieldManager=creator`;
  return { method: "PUT", path, body: deploymentJson(deploymentName, round) };
}

/** A server-side apply of one that is there, by another manager. */
export function deploymentApplication(round: number): LoadRequest {
  return {
    method: "PATCH",
    path: `${deploymentsPath}/${deploymentName}?fieldManager=applier&force=true`,
    contentType: "application/apply-patch+yaml",
    body: deploymentJson(deploymentName, round),
  };
}

function containerOf(name: string, containerPort: number): object {
  const variables = Math.round(objectBytes / 3 / 77);
  return {
    name,
    image: `registry.example.com/bench/${name}:1.2.3`,
    args: ["--log-level=info", `--listen=0.0.0.0:${containerPort}`],
    ports: [{ name: "http", containerPort, protocol: "TCP" }],
    env: Array.from({ length: variables }, (_, i) => ({
      name: `${name.toUpperCase()}_SETTING_${i}`,
      value: `value ${i} of a setting of this container`,
    })),
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
    livenessProbe: { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 20 },
    volumeMounts: [
      { name: "data", mountPath: "/data" },
      { name: "config", mountPath: "/etc/config", readOnly: true },
    ],
  };
}
