/** The grpc-js library. */
export type Grpc = typeof import("@grpc/grpc-js");

/** Loads grpc-js: with the first need, since it takes longer to load than much of what a server starts with. */
export function loadGrpc(): Promise<Grpc> {
  return import("@grpc/grpc-js");
}
