import { type GrpcRoute, unaryRoute } from "@gatehouse/component-base/grpc-server";
import { alarmAction, alarmType, type EtcdApi } from "../etcd/api/index.js";
import type { Keyspace } from "../keyspace.js";
import type { Store } from "../store.js";
import { etcdErrors, orStatus } from "./etcd-errors.js";
import { hashOfHistory } from "./hash-kv.js";
import { hashOfBuckets } from "./hash-of-buckets.js";
import { headerOf, type Identity } from "./headers.js";
import { notOffered } from "./refused-methods.js";
import { snapshotBuckets } from "./snapshot.js";
import { snapshotRoute } from "./snapshot-service.js";
import { spokenVersion } from "./spoken-version.js";

/** The store behind the services, its identity, and the addresses of the listener. */
export interface ClusterServicesParts {
  readonly keyspace: Keyspace;
  readonly store: Pick<Store, "condition">;
  readonly identity: Identity;
  readonly clientUrls: () => readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const memberName = "gatehouse";

/** Makes the routes of etcd's Cluster, Maintenance and Auth services: those of one member without a quorum of others. */
export function clusterRoutes(api: EtcdApi, parts: ClusterServicesParts): GrpcRoute[] {
  const { cluster, auth } = api;
  const { identity, clientUrls } = parts;
  return [
    unaryRoute(cluster.MemberList, () => ({
      header: headerOf(identity, 0), // members have no revision in etcd
      members: [{ id: identity.memberId, name: memberName, clientUrls: clientUrls() }],
    })),
    unaryRoute(auth.AuthStatus, async () => ({ header: await headerNow(parts), enabled: false, authRevision: 1n })),
    unaryRoute(auth.Authenticate, () => {
      throw etcdErrors.authNotEnabled;
    }),
    ...maintenanceRoutes(api, parts),
  ];
}

function maintenanceRoutes({ maintenance }: EtcdApi, parts: ClusterServicesParts): GrpcRoute[] {
  const { keyspace, store, identity } = parts;
  const { memberId } = identity;
  return [
    unaryRoute(maintenance.Status, async () => {
      const header = await headerNow(parts);
      const { fileBytes, usedBytes } = await orStatus(keyspace.size());
      const { writing, damage } = store.condition();
      const index = BigInt(header.revision);
      return {
        header,
        version: spokenVersion,
        dbSize: fileBytes,
        dbSizeInUse: usedBytes,
        leader: memberId,
        raftIndex: index,
        raftAppliedIndex: index,
        raftTerm: header.raftTerm,
        errors: [writing, damage].flatMap((problem) => (problem === undefined ? [] : [problem.message])),
      };
    }),
    unaryRoute(maintenance.Alarm, async ({ action }) => {
      if (action !== alarmAction.get) {
        throw notOffered("raising and clearing alarms (the store raises NOSPACE by itself, and clears it)");
      }
      const isFull = store.condition().writing !== undefined;
      const alarms = isFull ? [{ memberId, alarm: alarmType.noSpace }] : [];
      return { header: await headerNow(parts), alarms };
    }),
    // Free pages are used again by themselves, so there is nothing to be done.
    unaryRoute(maintenance.Defragment, async () => ({ header: await headerNow(parts) })),
    unaryRoute(maintenance.MoveLeader, ({ targetId }) => {
      if (targetId !== memberId) {
        throw etcdErrors.badLeaderTransferee;
      }
      return headerNow(parts).then((header) => ({ header }));
    }),
    snapshotRoute(maintenance, parts),
    unaryRoute(maintenance.HashKV, async ({ revision }) => {
      const { newestRevision, ...hash } = await orStatus(
        keyspace.readHistory((history) => hashOfHistory(history, revision)),
      );
      return { header: headerOf(identity, newestRevision), ...hash };
    }),
    unaryRoute(maintenance.Hash, async () => {
      // With times to live counted from 1970, leases that nobody has renewed give the same hash at any time.
      const hashed = keyspace.readHistory(async (history) => ({
        header: headerOf(identity, history.revision),
        hash: await hashOfBuckets(await snapshotBuckets({ history, identity, nowMs: 0 })),
      }));
      return await orStatus(hashed);
    }),
  ];
}

async function headerNow({ keyspace, identity }: ClusterServicesParts) {
  return headerOf(identity, await orStatus(keyspace.currentRevision()));
}
