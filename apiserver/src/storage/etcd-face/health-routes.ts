import { type GrpcRoute, GrpcStatusError, grpcCode } from "@gatehouse/component-base/grpc-server";

const serving = Buffer.from([0x08, 1]);
const serviceUnknown = Buffer.from([0x08, 3]);

/**
 * Makes the routes of gRPC's own health service (`grpc.health.v1`), which etcd serves for balancers: the server as a whole
 * serves while it answers, and no service has a health of its own. The two messages have one field each.
 */
export function healthRoutes(): GrpcRoute[] {
  return [
    {
      path: "/grpc.health.v1.Health/Check",
      isStream: false,
      answer(request) {
        if (!isOfServer(request)) {
          throw new GrpcStatusError(grpcCode.notFound, "unknown service");
        }
        return serving;
      },
    },
    {
      path: "/grpc.health.v1.Health/Watch",
      isStream: true,
      open: (call) => ({
        onMessage: (request) => call.sendEncoded(isOfServer(request) ? serving : serviceUnknown),
        onEnd() {}, // the watch goes on until the caller resets it
        onOver() {},
      }),
    },
  ];
}

/** Tells whether a request names no service; an empty name may be written or left out. */
function isOfServer(request: Buffer): boolean {
  return request.length === 0 || request.equals(Buffer.from([0x0a, 0]));
}
