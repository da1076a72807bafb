import { type GrpcRoute, streamRoute, unaryRoute } from "@gatehouse/component-base/grpc-server";
import type { LeaseService } from "../etcd/api/index.js";
import type { Keyspace } from "../keyspace.js";
import { orStatus } from "./etcd-errors.js";
import { headerOf, type Identity } from "./headers.js";
import type { Leases } from "./leases.js";

/** The leases behind the service, and the identity of the store. */
export interface LeaseServiceParts {
  readonly keyspace: Pick<Keyspace, "currentRevision">;
  readonly leases: Leases;
  readonly identity: Identity;
}

/** Makes the routes of etcd's Lease service. */
export function leaseRoutes(api: LeaseService, { keyspace, leases, identity }: LeaseServiceParts): GrpcRoute[] {
  return [
    unaryRoute(api.LeaseGrant, async ({ id, ttlSeconds }) => {
      const granted = await orStatus(leases.grant(id, ttlSeconds));
      return { header: headerOf(identity, granted.revision), id: granted.id, ttlSeconds: granted.ttlSeconds };
    }),
    unaryRoute(api.LeaseRevoke, async ({ id }) => ({ header: headerOf(identity, await orStatus(leases.revoke(id))) })),
    unaryRoute(api.LeaseTimeToLive, async ({ id, keys: wantsKeys }) => {
      const { revision, state, keys } = await orStatus(leases.find(id));
      const header = headerOf(identity, revision);
      if (state === undefined) {
        return { header, id, ttlSeconds: -1 };
      }
      const { ttlSeconds: grantedTtlSeconds } = state;
      return { header, id, ttlSeconds: leases.secondsLeft(state), grantedTtlSeconds, keys: wantsKeys ? keys : [] };
    }),
    unaryRoute(api.LeaseLeases, async () => {
      const revision = await orStatus(keyspace.currentRevision());
      const ids = await orStatus(leases.list());
      return { header: headerOf(identity, revision), leases: ids.map((id) => ({ id })) };
    }),
    streamRoute(api.LeaseKeepAlive, (call) => ({
      async onMessage({ id }) {
        await call.drained(); // a caller who does not read the answers renews nothing more
        const { revision, ttlSeconds } = await orStatus(leases.keepAlive(id));
        call.send({ header: headerOf(identity, revision), id, ttlSeconds });
      },
      onEnd: () => call.end(),
      onOver() {},
    })),
  ];
}
