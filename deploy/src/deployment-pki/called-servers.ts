/** A server that the API server asks or tells: where it listens wherever it is deployed, and the path that takes the calls. */
export interface CalledServer {
  /** Name of the server: that of its program without `gatehouse-`. */
  readonly name: string;
  readonly port: number;
  /** Left out when each call names a path of its own, as webhook configurations do. */
  readonly path?: string;
}

/** The servers beside the API server. */
export const calledServers: readonly CalledServer[] = [
  { name: "admission", port: 8443 },
  { name: "image-review", port: 8444, path: "/review" },
  { name: "authorization", port: 8445, path: "/authorize" },
  { name: "token-review", port: 8446, path: "/token-review" },
  { name: "audit-sink", port: 8447, path: "/audit" },
];
