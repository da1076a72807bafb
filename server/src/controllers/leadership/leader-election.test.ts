import assert from "node:assert/strict";
import { test } from "node:test";
import { InProcessObjectClient, type ObjectClient } from "@gatehouse/apiserver/client";
import { type JsonObject, ownObject, valueAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { LeaderElection, type LeaderElectionOptions } from "./leader-election.js";
import { leases } from "./leases.js";

const leaseName = "test-lease";
const target = { namespace: "kube-system", name: leaseName };
/** Times that end within a test. */
const short = { leaseDurationMs: 1000, renewDeadlineMs: 600, retryPeriodMs: 50 };
/** Times that do not end within a test. */
const long = { leaseDurationMs: 600_000, renewDeadlineMs: 500_000, retryPeriodMs: 50 };

interface Candidate extends AsyncDisposable {
  readonly election: LeaderElection;
  /** Ends the run, and gives the lease back if it is held. */
  stop(): Promise<void>;
  /** Ends the run without a word, as a process that is killed. */
  vanish(): Promise<void>;
}

function candidate(plane: TestControlPlane, identity: string, options: Partial<LeaderElectionOptions> = {}): Candidate {
  const stopping = new AbortController();
  const election = new LeaderElection({
    client: plane.client,
    leaseName,
    identity,
    now: Date.now,
    onChange() {},
    onError: (error) => plane.errors.push(error),
    times: long,
    ...options,
  });
  const run = election.run(stopping.signal);
  const vanish = (): Promise<void> => {
    stopping.abort();
    return run;
  };
  const stop = async (): Promise<void> => {
    await vanish();
    await election.release();
  };
  return { election, stop, vanish, [Symbol.asyncDispose]: vanish };
}

/** Returns a client with another way of updating. */
function withUpdate(client: ObjectClient, update: ObjectClient["update"]): ObjectClient {
  const bound = (name: keyof ObjectClient) => ({ value: (client[name] as () => unknown).bind(client) });
  return Object.create(client, {
    update: { value: update },
    create: bound("create"),
    find: bound("find"),
    observe: bound("observe"),
  });
}

const leads = ({ election }: Candidate) => eventually(async () => assert.equal(election.leading.holds, true));
const specOf = async (client: ObjectClient) =>
  valueAt(await client.get(leases, target.namespace, target.name), "spec") as JsonObject;

test("a single candidate leads as soon as the namespace of the lease exists, and records itself as client-go does", async () => {
  await using plane = await openTestControlPlane();
  await using one = candidate(plane, "one");
  await plane.makeNamespace("kube-system");
  await leads(one);
  one.election.assertLeading();
  const { acquireTime, renewTime, ...rest } = await specOf(plane.client);
  assert.deepEqual(rest, { holderIdentity: "one", leaseDurationSeconds: 600, leaseTransitions: 0 });
  assert.match(String(acquireTime), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  await eventually(async () => assert.notEqual((await specOf(plane.client))["renewTime"], renewTime));
  assert.equal((await specOf(plane.client))["acquireTime"], acquireTime);
  assert.deepEqual(plane.errors, []);
});

test("one of many candidates leads, and the next one when it gives the lease back", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace("kube-system");
  await using one = candidate(plane, "one");
  await using two = candidate(plane, "two", { times: { ...long, retryPeriodMs: 300_000 } });
  await eventually(async () => assert.ok(one.election.leading.holds || two.election.leading.holds));
  const [first, second] = one.election.leading.holds ? [one, two] : [two, one];
  assert.throws(second.election.assertLeading, /may be held by another server/);
  // The second has no other try for minutes: it is woken by the change of the lease.
  await first.stop();
  await leads(second);
  assert.equal((await specOf(plane.client))["leaseTransitions"], 1);
  assert.throws(first.election.assertLeading);
  assert.deepEqual(plane.errors, []);
});

test("a candidate takes the lease of a leader that has vanished when it has run out", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace("kube-system");
  await using one = candidate(plane, "one", { times: short });
  await leads(one);
  await one.vanish();
  await using two = candidate(plane, "two");
  await leads(two);
  assert.equal((await specOf(plane.client))["holderIdentity"], "two");
});

test("a candidate leaves a lease alone that has not run out", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace("kube-system");
  await using one = candidate(plane, "one");
  await leads(one);
  await one.vanish();
  let tries = 0;
  const client: ObjectClient = withUpdate(plane.client, (...args) => {
    tries++;
    return plane.client.update(...args);
  });
  await using two = candidate(plane, "two", { client });
  await eventually(async () => assert.ok(tries > 3));
  assert.equal(two.election.leading.holds, false);
  assert.equal((await specOf(plane.client))["holderIdentity"], "one");
});

test("a candidate with the name of the holder leads at once: it is another worker of the same server", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace("kube-system");
  const first = candidate(plane, "server");
  await leads(first);
  await first.vanish();
  await using second = candidate(plane, "server");
  await leads(second);
  assert.equal((await specOf(plane.client))["leaseTransitions"], 0);
});

test("a leader that cannot renew stops by its deadline, and leads again when it can", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace("kube-system");
  let isCutOff = false;
  const client = withUpdate(plane.client, (...args) =>
    isCutOff ? Promise.reject(new Error("cut off")) : plane.client.update(...args),
  );
  const changes: boolean[] = [];
  await using one = candidate(plane, "one", { client, times: short, onChange: (isLeading) => changes.push(isLeading) });
  await leads(one);
  isCutOff = true;
  await eventually(async () => assert.equal(one.election.leading.holds, false));
  assert.throws(one.election.assertLeading);
  isCutOff = false;
  await leads(one);
  assert.deepEqual(changes, [true, false, true]);
});

test("a leader whose lease another one has taken stops with its next renewal", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace("kube-system");
  await using one = candidate(plane, "one");
  await leads(one);
  await plane.client.update(leases, target, (lease) => {
    ownObject(lease, "spec")["holderIdentity"] = "a kube-controller-manager, or a person";
    return lease;
  });
  await eventually(async () => assert.equal(one.election.leading.holds, false));
});

test("a client refuses writes, and not reads, when its controller must not write any more", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace("kube-system");
  let mayWrite = true;
  const client = new InProcessObjectClient(plane.liveRegistry, plane.environment, plane.signal, "test", "", () => {
    assert.ok(mayWrite, "stopped");
  });
  const lease = { kind: "Lease", apiVersion: "coordination.k8s.io/v1", metadata: target };
  await client.create(leases, lease);
  mayWrite = false;
  await assert.rejects(client.create(leases, { ...lease, metadata: { ...target, name: "b" } }), /stopped/);
  await assert.rejects(
    client.update(leases, target, (current) => ({ ...current, spec: { holderIdentity: "a" } })),
    /stopped/,
  );
  await assert.rejects(client.delete(leases, target.namespace, target.name), /stopped/);
  assert.equal((await client.get(leases, target.namespace, target.name))?.["spec"] !== undefined, true);
});
