import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { RevisionCompactedError, StoreUnusableError } from "@gatehouse/apiserver/errors";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import { loadEtcdApi } from "@gatehouse/apiserver/storage/etcd/api";
import { issueCertificate } from "@gatehouse/component-base/pki";
import { create, openWatch, update } from "@gatehouse/testing/store-contract";
import { EtcdProcess, type EtcdTlsFiles, findEtcd } from "../support/etcd-process.js";
import { until } from "../support/until.js";

const found = await findEtcd();
const skip = "skip" in found ? found.skip : false;
const path = "path" in found ? found.path : "";
const dayMs = 24 * 60 * 60 * 1000;

describe("an etcd that others use, too", { skip }, () => {
  let etcd: EtcdProcess;
  before(async () => {
    etcd = await EtcdProcess.start({ path });
  });
  after(() => etcd[Symbol.asyncDispose]());

  it("has one lease for a thousand keys with the same time to live", async () => {
    await using store = await openEtcdStore({ transport: { servers: [etcd.url] } });
    const { LeaseLeases } = (await loadEtcdApi()).lease;
    const leases = async () => (await etcd.call(LeaseLeases, {})).leases.length;
    for (const [upTo, wanted] of [
      [1000, 1],
      [1001, 2],
    ] as const) {
      const from = upTo === 1000 ? 0 : 1000;
      await Promise.all(Array.from({ length: upTo - from }, (_, i) => create(store, `/ttl/${from + i}`, "", 3600)));
      assert.equal(await leases(), wanted);
    }
    await create(store, "/ttl/shorter", "", 1800);
    assert.equal(await leases(), 3);
  });

  it("shows a watch the changes that one transaction of another program makes, and how far others have written", async () => {
    await using store = await openEtcdStore({ transport: { servers: [etcd.url] } });
    const { kv } = await loadEtcdApi();
    const start = await store.currentRevision();
    const watch = openWatch(store, "/txn/", start);
    const first = watch.next();
    const puts = ["a", "b", "c"].map((name) => ({ requestPut: { key: Buffer.from(`/txn/${name}`) } }));
    await etcd.call(kv.Txn, { success: puts });
    const batch = await first;
    assert.deepEqual(
      batch?.events.map(({ key, revision }) => `${key} ${revision}`),
      ["a", "b", "c"].map((name) => `/txn/${name} ${start + 1}`),
    );
    await etcd.call(kv.Put, { key: Buffer.from("/elsewhere") });
    const further = watch.next();
    assert.equal(await store.currentRevision(), start + 2);
    assert.deepEqual(await further, { events: [], revision: start + 2 });
    watch.abort();
  });

  it("is compacted by the protocol of kube-apiserver, which keeps what is newer than an interval", async () => {
    const open = () => openEtcdStore({ transport: { servers: [etcd.url] }, compactionIntervalMs: 25 });
    await using one = await open();
    await using _two = await open();
    const created = await create(one, "/compact/a", "1");
    const updated = await update(one, "/compact/a", created, "2");
    const compacted = await until("history is forgotten", async () => {
      try {
        await one.get("/compact/a", { revision: created });
        return undefined;
      } catch (error) {
        assert.ok(error instanceof RevisionCompactedError, String(error));
        return error.compactRevision;
      }
    });
    assert.ok(compacted >= updated);
    const { kv } = await one.get("compact_rev_key");
    assert.ok(Number(kv?.value) >= compacted, "the key holds the revision");
    assert.equal(String((await one.get("/compact/a")).kv?.value), "2");
  });
});

describe("an etcd that asks for certificates", { skip }, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-etcd-tls-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("is reached with them, and with new ones when the files are replaced", async () => {
    const files = await writeCertificates(folder);
    await using etcd = await EtcdProcess.start({ path, tls: files.server });
    const transport = { servers: [etcd.url], ...files.client };
    await using store = await openEtcdStore({ transport });
    await create(store, "/tls/a", "1");
    await using stranger = await openEtcdStore({
      transport: { servers: [etcd.url], caFile: files.client.caFile },
      callTimeoutMs: 300,
    });
    await assert.rejects(stranger.get("/tls/a"));
    await writeCertificates(folder); // of another authority
    await etcd.signal("SIGKILL");
    await etcd.start();
    await until("the new certificates count", () =>
      store.get("/tls/a").then(
        ({ kv }) => kv !== undefined,
        () => false,
      ),
    );
    await create(store, "/tls/b", "1");
  });

  it("is refused at the start when the files or the URL cannot be used", async () => {
    for (const transport of [
      { servers: ["https://127.0.0.1:1"], caFile: join(folder, "missing") },
      { servers: ["127.0.0.1:1"] },
      { servers: ["http://127.0.0.1:1/path"] },
    ]) {
      await assert.rejects(openEtcdStore({ transport }), StoreUnusableError);
    }
  });
});

/** Makes an authority, and writes certificates of a server and a client, with their keys. */
async function writeCertificates(
  folder: string,
): Promise<{ readonly server: EtcdTlsFiles; readonly client: EtcdTlsFiles }> {
  const lifetime = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "etcd-ca" }, ...lifetime });
  const caFile = join(folder, "ca.crt");
  await writeFile(caFile, issuer.certificatePem);
  const subjects = {
    server: { kind: "server", commonName: "etcd", dnsNames: [], ipAddresses: ["127.0.0.1"] },
    client: { kind: "client", user: "apiserver", groups: [] },
  } as const;
  const files = await Promise.all(
    Object.entries(subjects).map(async ([name, subject]) => {
      const { certificatePem, keyPem } = await issueCertificate({ subject, issuer, ...lifetime });
      const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
      await writeFile(certFile, certificatePem);
      await writeFile(keyFile, keyPem, { mode: 0o600 });
      return [name, { certFile, keyFile, caFile }] as const;
    }),
  );
  return Object.fromEntries(files) as { readonly server: EtcdTlsFiles; readonly client: EtcdTlsFiles };
}
