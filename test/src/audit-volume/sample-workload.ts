import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";

/** Sends a request as one of those who use a cluster. Failures are part of it. */
type Send = (method: string, path: string, body?: JsonObject, contentType?: string) => Promise<void>;

const nodes = ["n1", "n2", "n3"];
const timeoutMs = 30_000;
const apply = "application/apply-patch+yaml";
const merge = "application/merge-patch+json";

/**
 * Plays about ten minutes of a small cluster: three nodes renew their leases and report their state, controllers renew
 * theirs and watch everything, a team deploys an application and changes it, people look at it, some requests are
 * forbidden, and a user explores the API. About 700 requests, equal each time.
 */
export async function playSampleWorkload(server: ControlPlane): Promise<void> {
  const open: HttpClient[] = [];
  const as = async (user: string, groups: readonly string[]): Promise<Send> => {
    const clientCertificate = await server.certificates.clientCertificate(user, [...groups]);
    const client = createHttpClient({
      config: { ...server.anonymousConfig, clientCertificate },
      userAgent: agentOf(user),
    });
    open.push(client);
    return sender(client);
  };
  const admin = sender(server.client);
  try {
    await admin("POST", "/api/v1/namespaces", { metadata: { name: "shop" } });
    await admin("POST", "/api/v1/namespaces", { metadata: { name: "kube-node-lease" } });
    await Promise.all(nodes.map(async (node) => keepNode(await as(`system:node:${node}`, ["system:nodes"]), node)));
    await control(await as("system:kube-controller-manager", []));
    await deploy(await as("deployer", ["team-shop"]));
    await look(await as("jane", ["team-shop"]));
    await administer(admin);
    await probe(sender(openAnonymous(server, open)));
  } finally {
    for (const client of open) {
      client[Symbol.dispose]();
    }
  }
}

function agentOf(user: string): string {
  return `${user.startsWith("system:node:") ? "kubelet" : "client"}/v1.29.0 (linux/amd64) kubernetes/3f7a50f`;
}

function openAnonymous(server: ControlPlane, open: HttpClient[]): HttpClient {
  const client = createHttpClient({ config: server.anonymousConfig, userAgent: "curl/8.5.0" });
  open.push(client);
  return client;
}

function sender(client: HttpClient): Send {
  return async (method, path, body, contentType = "application/json") => {
    await client.request({
      method,
      path,
      signal: AbortSignal.timeout(timeoutMs),
      timeoutMs,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": contentType } }),
    });
  };
}

async function times(count: number, work: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; n < count; n++) {
    await work(n);
  }
}

async function keepNode(send: Send, node: string): Promise<void> {
  const lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  const spec = { holderIdentity: node, leaseDurationSeconds: 40 };
  await send("POST", "/api/v1/nodes", { metadata: { name: node, labels: { "kubernetes.io/hostname": node } } });
  await send("POST", lease, { metadata: { name: node }, spec });
  await times(60, (n) =>
    send("PUT", `${lease}/${node}`, {
      metadata: { name: node, namespace: "kube-node-lease" },
      spec: { ...spec, renewTime: `2026-01-01T00:${String(n).padStart(2, "0")}:00.000000Z` },
    }),
  );
  await times(4, (n) =>
    send("PATCH", `/api/v1/nodes/${node}/status`, { status: { conditions: nodeConditions(n) } }, merge),
  );
  await send("GET", `/api/v1/nodes/${node}`);
  await send("GET", `/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`);
  await send("GET", "/api/v1/pods?watch=true&timeoutSeconds=1&fieldSelector=spec.nodeName%3Dnone");
}

function nodeConditions(n: number): JsonObject[] {
  return ["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"].map((type) => ({
    type,
    status: type === "Ready" ? "True" : "False",
    reason: `Kubelet${type}`,
    message: `kubelet has looked at ${type}`,
    lastHeartbeatTime: `2026-01-01T00:0${n}:00Z`,
    lastTransitionTime: "2026-01-01T00:00:00Z",
  }));
}

async function control(send: Send): Promise<void> {
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  const endpoints = "/api/v1/namespaces/shop/endpoints";
  await send("POST", leases, { metadata: { name: "manager" }, spec: { holderIdentity: "manager" } });
  await times(80, (n) => send("PATCH", `${leases}/manager`, { spec: { leaseTransitions: n } }, merge));
  await send("POST", endpoints, { metadata: { name: "web" }, subsets: [] });
  await times(20, (n) =>
    send("PUT", `${endpoints}/web`, {
      metadata: { name: "web", namespace: "shop" },
      subsets: [{ addresses: [{ ip: `10.0.0.${n + 1}` }], ports: [{ port: 80 }] }],
    }),
  );
  for (const path of ["/api/v1/pods", "/api/v1/services", "/apis/apps/v1/deployments", "/api/v1/configmaps"]) {
    await times(5, () => send("GET", `${path}?limit=500`));
  }
  await times(30, (n) =>
    send("POST", "/api/v1/namespaces/shop/events", {
      metadata: { name: `web.${n}` },
      involvedObject: { kind: "Pod", namespace: "shop", name: `web-${n}` },
      reason: "Scheduled",
      message: `Successfully assigned shop/web-${n} to n1`,
      type: "Normal",
    }),
  );
}

function podSpec(image: string): JsonObject {
  return {
    containers: [
      {
        name: "web",
        image,
        env: Array.from({ length: 10 }, (_, n) => ({ name: `SETTING_${n}`, value: `value ${n}` })),
        ports: [{ containerPort: 8080 }],
        resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "128Mi" } },
        readinessProbe: { httpGet: { path: "/ready", port: 8080 } },
        volumeMounts: [{ name: "settings", mountPath: "/etc/settings" }],
      },
    ],
    volumes: [{ name: "settings", configMap: { name: "settings" } }],
  };
}

async function deploy(send: Send): Promise<void> {
  const core = "/api/v1/namespaces/shop";
  const deployments = "/apis/apps/v1/namespaces/shop/deployments";
  const labels = { app: "web" };
  const deployment = (image: string): JsonObject => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", labels },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec(image) } },
  });
  await discover(send);
  await send("POST", `${core}/configmaps`, { metadata: { name: "settings" }, data: { file: "setting\n".repeat(300) } });
  await send("POST", `${core}/secrets`, { metadata: { name: "password" }, stringData: { password: "not told" } });
  await send("POST", `${core}/serviceaccounts`, { metadata: { name: "web" } });
  await send("POST", `${core}/services`, {
    metadata: { name: "web" },
    spec: { selector: labels, ports: [{ port: 80 }] },
  });
  await times(8, (n) =>
    send("PATCH", `${deployments}/web?fieldManager=ci`, deployment(`registry.example.com/web:1.${n}`), apply),
  );
  await times(12, (n) =>
    send("POST", `${core}/pods`, { metadata: { name: `web-${n}`, labels }, spec: podSpec("web:1") }),
  );
  await send("PATCH", `${deployments}/web/scale`, { spec: { replicas: 5 } }, merge);
  await times(4, (n) => send("DELETE", `${core}/pods/web-${n}`));
  await times(3, () => send("POST", `${core}/pods`, { metadata: { name: "web-5" }, spec: podSpec("web:1") }));
  await times(2, () => send("POST", `${core}/pods`, { metadata: { name: "Bad_Name" }, spec: podSpec("web:1") }));
  await send("POST", `${core}/serviceaccounts/web/token`, { spec: { expirationSeconds: 3600 } });
}

async function discover(send: Send): Promise<void> {
  for (const path of ["/version", "/api", "/apis", "/api/v1", "/apis/apps/v1", "/openapi/v3"]) {
    await send("GET", path);
  }
}

async function look(send: Send): Promise<void> {
  await discover(send);
  const core = "/api/v1/namespaces/shop";
  await times(20, () => send("GET", `${core}/pods`));
  await times(20, (n) => send("GET", `${core}/pods/web-${n}`));
  await times(10, () => send("GET", "/apis/apps/v1/namespaces/shop/deployments/web"));
  await times(5, () => send("GET", `${core}/secrets/password`));
  await times(5, () => send("GET", `${core}/configmaps`));
  await times(5, () => send("GET", "/api/v1/nodes"));
  await times(5, () => send("GET", `${core}/events`));
  await send("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    spec: { resourceAttributes: { verb: "get", resource: "pods" } },
  });
}

async function administer(send: Send): Promise<void> {
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  await send("POST", `${rbac}/namespaces/shop/roles`, {
    metadata: { name: "dev" },
    rules: [{ apiGroups: ["", "apps"], resources: ["pods", "deployments"], verbs: ["get", "list", "watch"] }],
  });
  await send("POST", `${rbac}/namespaces/shop/rolebindings`, {
    metadata: { name: "dev" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "dev" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "team-shop" }],
  });
  await send("GET", `${rbac}/clusterroles`);
  await send("GET", "/api/v1/namespaces/shop/secrets");
  await send("DELETE", "/api/v1/namespaces/shop/secrets/password");
}

async function probe(send: Send): Promise<void> {
  await times(60, () => send("GET", "/livez"));
  await times(60, () => send("GET", "/readyz"));
  await times(10, () => send("GET", "/metrics"));
  await times(5, () => send("GET", "/api/v1/secrets"));
}
