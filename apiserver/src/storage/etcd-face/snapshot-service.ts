import { createHash } from "node:crypto";
import {
  type GrpcRoute,
  GrpcStatusError,
  grpcCode,
  type StreamCall,
  streamRoute,
} from "@gatehouse/component-base/grpc-server";
import type { MaintenanceService, SnapshotResponse } from "../etcd/api/index.js";
import type { KeyHistory, Keyspace } from "../keyspace.js";
import { statusOfError } from "./etcd-errors.js";
import { headerOf, type Identity } from "./headers.js";
import { planSnapshot } from "./snapshot.js";

/** The store whose snapshots are sent. */
export interface SnapshotServiceParts {
  readonly keyspace: Keyspace;
  readonly identity: Identity;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Time in milliseconds within which a client takes the piece that was sent. The moment that a snapshot shows keeps pages
 * of the data file from being used again, so a client that has stopped reading must not hold it.
 */
const takePieceMs = 60_000;

/** Snapshots that are sent at a time. */
const maxSnapshots = 4;

/** Makes the route of etcd's snapshots: a file as etcd would have it, and the SHA-256 of it as the last piece. */
export function snapshotRoute({ Snapshot }: MaintenanceService, parts: SnapshotServiceParts): GrpcRoute {
  let running = 0;
  return streamRoute(Snapshot, (call) => {
    const gone = new AbortController();
    return {
      async onMessage() {
        if (running >= maxSnapshots) {
          throw new GrpcStatusError(grpcCode.resourceExhausted, "gatehouse: too many snapshots are being sent");
        }
        running++;
        try {
          await sendSnapshot(parts, call, gone.signal);
          call.end();
        } catch (error) {
          if (!gone.signal.aborted) {
            call.end(statusOfError(error));
          }
        } finally {
          running--;
        }
      },
      onEnd() {},
      onOver: () => gone.abort(),
    };
  });
}

async function sendSnapshot(
  { keyspace, identity, now }: SnapshotServiceParts,
  call: StreamCall<SnapshotResponse>,
  gone: AbortSignal,
): Promise<void> {
  await keyspace.readHistory(async (history) => {
    const header = headerOf(identity, history.revision);
    const plan = await planSnapshot({ history: untilGone(history, gone), identity, nowMs: now() });
    const hash = createHash("sha256");
    let remaining = plan.bytes;
    for await (const blob of plan.pieces()) {
      hash.update(blob);
      remaining -= blob.length;
      call.send({ header, remainingBytes: BigInt(remaining), blob });
      await taken(call);
    }
    call.send({ header, remainingBytes: 0n, blob: hash.digest() });
  });
}

/** Makes a history whose reading ends with an error when the client has gone. */
function untilGone(history: KeyHistory, gone: AbortSignal): KeyHistory {
  return {
    revision: history.revision,
    compactRevision: history.compactRevision,
    leases: () => history.leases(),
    supersededBy: (version) => history.supersededBy(version),
    async *changes() {
      for await (const batch of history.changes()) {
        gone.throwIfAborted();
        yield batch;
      }
    },
  };
}

/** Resolves when the client has taken all pieces. Rejects when it takes too long. */
async function taken(call: StreamCall<SnapshotResponse>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new GrpcStatusError(
            grpcCode.deadlineExceeded,
            `gatehouse: the client has taken nothing of the snapshot for ${takePieceMs / 1000} seconds`,
          ),
        ),
      takePieceMs,
    );
  });
  try {
    await Promise.race([call.drained(), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
