import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ensureCertificate } from "@gatehouse/component-base/pki";
import { createDataDir } from "./data-dir.js";
import { administratorGroup, administratorName } from "./identities.js";
import { ensureLocalPki } from "./local-pki.js";

const dataDir = createDataDir(mkdtempSync(join(tmpdir(), "gatehouse-local-pki-")));
after(() => rmSync(dataDir.path, { recursive: true }));

const keyTypeOf = (pem: string) => createPrivateKey(pem).asymmetricKeyType;

test("people get RSA keys, the stack itself has EC keys, and both are kept", async () => {
  const notes: string[] = [];
  const pki = await ensureLocalPki(dataDir, (sentence) => notes.push(sentence));
  const { keyPem } = await pki.admin;
  assert.match(keyPem, /^-----BEGIN RSA PRIVATE KEY-----\n/);
  assert.deepEqual([keyTypeOf(keyPem), keyTypeOf(pki.superAdmin.keyPem)], ["rsa", "ec"]);
  const again = await ensureLocalPki(dataDir, (sentence) => notes.push(sentence));
  assert.equal((await again.admin).keyPem, keyPem);
  assert.deepEqual(notes, []);
});

test("an administrator's EC key of an earlier release is replaced, which is told", async () => {
  const pki = await ensureLocalPki(dataDir, () => {});
  const files = { certFile: join(dataDir.pki, "admin.crt"), keyFile: join(dataDir.pki, "admin.key") };
  await pki.admin;
  const [certificatePem, keyPem] = [pki.cluster.certFile, pki.cluster.keyFile].map((file) =>
    readFileSync(file, "utf8"),
  );
  assert.ok(certificatePem !== undefined && keyPem !== undefined);
  const subject = { kind: "client", user: administratorName, groups: [administratorGroup] } as const;
  const earlier = await ensureCertificate({ subject, issuer: { certificatePem, keyPem }, keyType: "ec", ...files });
  assert.equal(keyTypeOf(earlier.keyPem), "ec");
  const notes: string[] = [];
  const { admin } = await ensureLocalPki(dataDir, (sentence) => notes.push(sentence));
  assert.equal(keyTypeOf((await admin).keyPem), "rsa");
  assert.deepEqual(notes, ["The certificate of kubernetes-admin was made anew: its key is not of type rsa."]);
});
