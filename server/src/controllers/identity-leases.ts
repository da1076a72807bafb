import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Controller, type ControllerOptions, reconcile } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { serverId } from "@gatehouse/apiserver/server";
import { isSet, type JsonObject, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import { namespaces } from "./core-resources.js";
import { durationMsOf, leaseNamespace, leases, microTime } from "./leadership/leases.js";
import { isActiveNamespace } from "./namespaces/active-namespaces.js";

/** The label that tells identity leases of API servers from others. */
const identityLabel = "apiserver.kubernetes.io/identity";
const component = "kube-apiserver";
/** The annotation that tells where other API servers of the cluster reach the one that holds the lease. */
const addressAnnotation = "kubernetes.io/peer-advertise-address";

/** Duration of an identity lease in seconds, and the interval between renewals in milliseconds, as in v1.29. */
const leaseSeconds = 3600;
const renewIntervalMs = 10_000;
/** Interval in milliseconds between searches for expired leases, as in v1.29. */
const collectIntervalMs = 3_600_000;

/** The options of the controllers of identity leases. */
export interface IdentityLeaseOptions extends ControllerOptions {
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** The address at which other API servers of the cluster reach this one. */
export interface OwnPeerAddress {
  /** The address with its port, which the lease tells; undefined where others do not call this server. */
  readonly peerAddress?: string | undefined;
}

/**
 * Keeps the lease by which others see that this API server is alive: one for each host, as in v1.29. A lease that a former
 * server of this host has left is renewed, and keeps the name of that holder.
 */
export function identityLease({ now, peerAddress, ...options }: IdentityLeaseOptions & OwnPeerAddress): Controller {
  const { client } = options;
  const name = serverId();
  const holderIdentity = `${name}_${randomUUID()}`;
  const labels = { [identityLabel]: component, "kubernetes.io/hostname": hostname() };
  const annotations = peerAddress === undefined ? {} : { [addressAnnotation]: peerAddress };
  const hasAnnotations = Object.keys(annotations).length > 0;
  const renew = async (): Promise<void> => {
    const renewTime = microTime(now());
    if ((await client.get(leases, leaseNamespace, name)) === undefined) {
      await client.create(leases, {
        kind: "Lease",
        apiVersion: "coordination.k8s.io/v1",
        metadata: { name, namespace: leaseNamespace, labels, ...(hasAnnotations ? { annotations } : {}) },
        spec: { holderIdentity, leaseDurationSeconds: leaseSeconds, renewTime },
      });
      return;
    }
    await client.update(leases, { namespace: leaseNamespace, name }, (lease) => {
      Object.assign(ownObject(ownObject(lease, "metadata"), "labels"), labels);
      if (hasAnnotations) {
        Object.assign(ownObject(ownObject(lease, "metadata"), "annotations"), annotations);
      }
      ownObject(lease, "spec")["renewTime"] = renewTime;
      return lease;
    });
  };
  return {
    name: "kube-apiserver-identity-lease-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 1,
        sources: [{ resource: namespaces, keyOf: (object) => (object.name === leaseNamespace ? name : undefined) }],
        async work() {
          if (client.find(leases) === undefined || !isActiveNamespace(client, leaseNamespace)) {
            return undefined;
          }
          await renew();
          return { afterMs: renewIntervalMs };
        },
      }),
  };
}

/** Reports whether a lease is that by which an API server shows that it is alive. */
export function isIdentityLease(lease: JsonObject | undefined): boolean {
  return textAt(objectAt(lease ?? {}, "metadata", "labels"), identityLabel) === component;
}

/** Deletes the identity leases of API servers that have not renewed them for their duration. */
export function identityLeaseCollection({ now, ...options }: IdentityLeaseOptions): Controller {
  const { client } = options;
  const isExpired = (lease: JsonObject): boolean =>
    !isSet(lease, "spec", "renewTime") ||
    !isSet(lease, "spec", "leaseDurationSeconds") ||
    Date.parse(textAt(lease, "spec", "renewTime")) + durationMsOf(lease) < now();
  return {
    name: "kube-apiserver-identity-lease-garbage-collector",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 1,
        initial: ["leases"],
        sources: [],
        async work() {
          if (client.find(leases) === undefined) {
            return undefined;
          }
          for (const { namespace, name, entry } of await client.list(leases, leaseNamespace)) {
            const lease = entry.object();
            if (isIdentityLease(lease) && isExpired(lease)) {
              const { uid = "", resourceVersion = String(entry.revision) } = metaOf(lease);
              await client.delete(leases, namespace, name, { preconditions: { uid, resourceVersion } });
            }
          }
          return { afterMs: collectIntervalMs };
        },
      }),
  };
}
