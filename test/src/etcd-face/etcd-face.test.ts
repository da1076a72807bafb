import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import { until } from "../support/until.js";
import { FaceClient, type FaceUnderTest, serveStore } from "./face-under-test.js";
import { ServedFace } from "./served-face.js";

const maxRequestBytes = 8 * 2 ** 20;

describe("the etcd API of the embedded store", () => {
  let face: FaceUnderTest;
  let client: FaceClient;
  /** Milliseconds that the clock of the leases is ahead. */
  let ahead = 0;
  before(async () => {
    face = await serveStore({ now: () => Date.now() + ahead, progressIntervalMs: 50, maxRequestBytes });
    client = await FaceClient.open(face.url);
  });
  after(async () => {
    client[Symbol.dispose]();
    await face[Symbol.asyncDispose]();
  });

  it("deletes the keys of a lease that expires in one revision, and no others", async () => {
    const { LeaseGrant, LeaseTimeToLive } = client.api.lease;
    const short = await client.call(LeaseGrant, { ttlSeconds: 2 });
    const long = await client.call(LeaseGrant, { ttlSeconds: 1_000_000 });
    await client.put("leased/a", "1", short.id);
    await client.put("leased/b", "2", short.id);
    await client.put("leased/c", "3", long.id);
    await client.put("leased/d", "4");
    const { seen, end } = client.watch({ key: Buffer.from("leased/"), rangeEnd: Buffer.from("leased0") });
    await until("the watch is there", () => seen.length > 0);
    assert.equal((await client.call(LeaseTimeToLive, { id: short.id, keys: true })).keys.length, 2);
    ahead += 10_000;
    const deletions = await until("the keys are deleted", () => {
      const events = seen.flatMap((answer) => answer.events);
      return events.length > 0 && events;
    });
    end();
    const [first, second] = deletions;
    assert.deepEqual(
      deletions.map(({ type, kv }) => [type, String(kv?.key)]),
      [
        [1, "leased/a"],
        [1, "leased/b"],
      ],
    );
    assert.equal(first?.kv?.modRevision, second?.kv?.modRevision);
    assert.equal((await client.call(LeaseTimeToLive, { id: short.id })).ttlSeconds, -1);
    assert.equal(String((await client.get("leased/c"))?.value), "3");
    assert.equal(String((await client.get("leased/d"))?.value), "4");
  });

  it("notifies of progress those watches that ask for it, with the newest revision", async () => {
    const quiet = Buffer.from("quiet");
    const asks = client.watch({ key: quiet, progressNotify: true });
    const asksNot = client.watch({ key: quiet });
    await until("both watches are there", () => asks.seen.length > 0 && asksNot.seen.length > 0);
    const { header } = await client.put("other", "1");
    await until("the progress is told twice", () => {
      const told = asks.seen.filter(({ header: at }) => (at?.revision ?? 0) >= (header?.revision ?? 0));
      return told.length >= 2;
    });
    assert.deepEqual(
      asks.seen.flatMap(({ events }) => events),
      [],
    );
    assert.equal(asksNot.seen.length, 1);
    asks.end();
    asksNot.end();
  });

  it("divides changes of one revision among messages for a watch that allows it, and for no other", async () => {
    const range = { key: Buffer.from("large/"), rangeEnd: Buffer.from("large0") };
    const whole = client.watch(range);
    const inParts = client.watch({ ...range, fragment: true });
    await until("both watches are there", () => whole.seen.length > 0 && inParts.seen.length > 0);
    const value = Buffer.alloc(2 ** 20, "v");
    const success = ["a", "b", "c"].map((name) => ({ requestPut: { key: Buffer.from(`large/${name}`), value } }));
    await client.call(client.api.kv.Txn, { success });
    const count = (seen: typeof whole.seen) => seen.reduce((sum, { events }) => sum + events.length, 0);
    await until("both have all changes", () => count(whole.seen) === 3 && count(inParts.seen) === 3);
    assert.deepEqual(
      whole.seen.slice(1).map(({ fragment, events }) => [fragment, events.length]),
      [[false, 3]],
    );
    const parts = inParts.seen.slice(1);
    assert.ok(parts.length > 1);
    assert.deepEqual(
      parts.map(({ fragment }) => fragment),
      parts.map((_, index) => index < parts.length - 1),
    );
    whole.end();
    inParts.end();
  });

  it("refuses what is beyond its limits, and changes nothing", async () => {
    const before = await client.get("limits");
    const put = (key: string | Buffer, valueBytes = 1) => ({
      key: Buffer.from(key as string),
      value: Buffer.alloc(valueBytes),
    });
    const refusals: readonly (readonly [ReturnType<typeof put>, RegExp])[] = [
      [put("k".repeat(1501)), /^Error: 3 INVALID_ARGUMENT: gatehouse: a key may have at most 1500 bytes$/],
      [put(Buffer.from([0xff])), /^Error: 3 INVALID_ARGUMENT: gatehouse: a key must be valid UTF-8$/],
      [put("limits", maxRequestBytes), /^Error: 3 INVALID_ARGUMENT: etcdserver: request is too large$/],
      [
        put("limits", maxRequestBytes + 2 ** 20),
        /^Error: 8 RESOURCE_EXHAUSTED: grpc: received message larger than max/,
      ],
      [put(""), /^Error: 3 INVALID_ARGUMENT: etcdserver: key is not provided$/],
    ];
    for (const [request, refusal] of refusals) {
      await assert.rejects(
        client.call(client.api.kv.Put, request),
        (error) => refusal.test(String(error)) || fail(error),
      );
    }
    const success = Array.from({ length: 129 }, (_, i) => ({ requestPut: put(`limits/${i}`) }));
    await assert.rejects(client.call(client.api.kv.Txn, { success }), /too many operations in txn request/);
    assert.equal(await client.get("limits/0"), undefined);
    assert.equal(before, undefined);
    await client.put("k".repeat(1500), "1");
  });

  it("looks for the lease of a put first, and for the key of one in a transaction, as etcd does", async () => {
    const put = { key: Buffer.from("nowhere"), lease: 12_345n, ignoreValue: true };
    await assert.rejects(client.call(client.api.kv.Put, put), /5 NOT_FOUND: etcdserver: requested lease not found/);
    await assert.rejects(
      client.call(client.api.kv.Txn, { success: [{ requestPut: put }] }),
      /3 INVALID_ARGUMENT: etcdserver: key not found/,
    );
  });

  it("refuses the methods that it does not offer, and names them", async () => {
    const text = "gatehouse: the embedded store does not offer";
    assert.equal(await client.tryRaw("/etcdserverpb.Auth/UserAdd"), `12 ${text} users and roles (UserAdd)`);
    assert.equal(await client.tryRaw("/etcdserverpb.Cluster/MemberAdd"), `12 ${text} changes of members (MemberAdd)`);
    assert.equal(await client.tryRaw("/v3lockpb.Lock/Lock"), `12 ${text} the Lock service (Lock)`);
  });

  it("lists its member without a revision, as etcd does", async () => {
    const { header, members } = await client.call(client.api.cluster.MemberList, {});
    assert.deepEqual([header?.revision, members.length], [0, 1]);
  });

  it("answers gRPC's question for the health of the server, and of no service", async () => {
    assert.equal(await client.tryRaw("/grpc.health.v1.Health/Check"), "0 0801");
    assert.equal(
      await client.tryRaw("/grpc.health.v1.Health/Check", Buffer.from([0x0a, 1, 0x78])),
      "5 unknown service",
    );
  });

  it("answers probes with etcd's codes, over HTTP/1.1", async () => {
    const ask = async (path: string, method = "GET") => {
      const answer = await fetch(face.url + path, { method });
      return [answer.status, answer.headers.get("content-type"), await answer.text()];
    };
    const plain = "text/plain; charset=utf-8";
    assert.deepEqual(await ask("/health?serializable=true"), [200, plain, '{"health":"true","reason":""}']);
    assert.deepEqual(await ask("/readyz?exclude=data_corruption"), [200, plain, "ok\n"]);
    assert.deepEqual(await ask("/health", "POST"), [405, plain, "Method Not Allowed\n"]);
    assert.deepEqual(await ask("/nothing"), [404, plain, "404 page not found\n"]);
  });

  it("renews a lease for a caller who asks several times at once", async () => {
    const { id } = await client.call(client.api.lease.LeaseGrant, { ttlSeconds: 100 });
    const answers = await client.keepAlive([id, id, id, 12_345n]);
    assert.deepEqual(
      answers.map(({ ttlSeconds }) => ttlSeconds),
      [100, 100, 100, 0],
    );
  });
});

describe("the command that serves the embedded store", () => {
  it("takes the limits of transactions and the interval of progress from its flags", async () => {
    await using face = await ServedFace.start([
      ...["--listen-etcd-max-txn-ops", "1", "--listen-etcd-watch-progress-notify-interval", "100ms"],
    ]);
    using client = await FaceClient.open(face.url);
    const watch = client.watch({ key: Buffer.from("quiet"), progressNotify: true });
    await until("progress is told twice", () => watch.seen.length >= 3);
    watch.end();
    const put = { requestPut: { key: Buffer.from("key") } };
    await assert.rejects(client.call(client.api.kv.Txn, { success: [put, put] }), /too many operations in txn request/);
  });
});

describe("the etcd API of the embedded store over TLS", () => {
  let folder: string;
  let face: FaceUnderTest;
  let authority: CertificateAndKey;
  const validity = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };
  const newAuthority = () => issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });
  const newClient = (issuer: CertificateAndKey) =>
    issueCertificate({ subject: { kind: "client", user: "backup", groups: [] }, issuer, ...validity });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-face-tls-"));
    authority = await newAuthority();
    const server = await issueCertificate({
      subject: { kind: "server", commonName: "face", dnsNames: [], ipAddresses: ["127.0.0.1"] },
      issuer: authority,
      ...validity,
    });
    const file = async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    face = await serveStore({
      tls: {
        certFile: await file("server.crt", server.certificatePem),
        keyFile: await file("server.key", server.keyPem),
        trustedCaFile: await file("ca.crt", authority.certificatePem),
      },
    });
  });
  after(async () => {
    await face[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const putAs = async (clientCertificate: CertificateAndKey | undefined) => {
    const certificateAuthorityPem = authority.certificatePem;
    using client = await FaceClient.open(face.url, { certificateAuthorityPem, clientCertificate } as never);
    return await client.put("a", "1");
  };

  it("serves a client with a certificate of the authority", async () => {
    assert.equal((await putAs(await newClient(authority))).header?.revision, 2);
  });

  it("refuses a client without a certificate", async () => {
    await assert.rejects(putAs(undefined), /14 UNAVAILABLE|16 UNAUTHENTICATED/);
  });

  it("refuses a client with a certificate of another authority", async () => {
    await assert.rejects(putAs(await newClient(await newAuthority())), /14 UNAVAILABLE|16 UNAUTHENTICATED/);
  });
});

function fail(error: unknown): never {
  throw error;
}
