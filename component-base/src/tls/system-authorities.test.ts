import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { issueCertificate } from "../pki/index.js";
import { readSystemAuthorities } from "./system-authorities.js";

describe("The authorities of this machine", () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-authorities-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const pems: Record<string, string> = {};
  before(async () => {
    const now = Date.now();
    for (const commonName of ["file", "one", "two", "extra"]) {
      const made = await issueCertificate({
        subject: { kind: "authority", commonName },
        notBefore: new Date(now - 3_600_000),
        notAfter: new Date(now + 3_600_000),
      });
      pems[commonName] = made.certificatePem;
    }
    const { file = "", one = "", two = "", extra = "" } = pems;
    writeFileSync(
      join(folder, "file.pem"),
      `words\n${file}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
    );
    writeFileSync(join(folder, "extra.pem"), extra);
    mkdirSync(join(folder, "some"));
    mkdirSync(join(folder, "others"));
    writeFileSync(join(folder, "some", "one.pem"), one.replaceAll("\n", "\r\n"));
    writeFileSync(join(folder, "some", "file.pem"), file);
    symlinkSync("one.pem", join(folder, "some", "0a1b2c3d.0"));
    writeFileSync(join(folder, "others", "two.pem"), two);
  });
  const names = (variables: Parameters<typeof readSystemAuthorities>[0]): readonly string[] =>
    readSystemAuthorities(variables).map((pem) => new X509Certificate(pem).subject.replace("CN=", ""));
  const at = (...path: readonly string[]): string => join(folder, ...path);

  test("are those of the file and the folders that the environment names, each once", () => {
    const folders = `${at("some")}:${at("missing")}:${at("others")}`;
    assert.deepEqual(names({ SSL_CERT_FILE: at("file.pem"), SSL_CERT_DIR: folders }), ["file", "one", "two"]);
    assert.deepEqual(names({ SSL_CERT_FILE: at("missing"), SSL_CERT_DIR: at("others") }), ["two"]);
  });

  test("are further ones of Node's variable, where there are any at all", () => {
    const extra = { NODE_EXTRA_CA_CERTS: at("extra.pem") };
    assert.deepEqual(names({ SSL_CERT_FILE: at("file.pem"), SSL_CERT_DIR: at("missing"), ...extra }), [
      "file",
      "extra",
    ]);
    assert.deepEqual(names({ SSL_CERT_FILE: at("missing"), SSL_CERT_DIR: at("missing"), ...extra }), []);
  });
});
