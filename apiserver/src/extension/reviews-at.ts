import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";

/** Returns the configuration of a client that posts reviews of one kind to an API server. */
export function reviewsAt(config: ClientConfig, group: string, resource: string): ClientConfig {
  const server = new URL(config.server);
  server.pathname = `${server.pathname.replace(/\/+$/, "")}/apis/${group}/v1/${resource}`;
  return { ...config, server };
}
