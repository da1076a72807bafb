import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { authoritiesOf } from "@gatehouse/component-base/tls";
import { keyForms } from "./key-forms.test.support.js";
import { signingKey, verificationKeys } from "./token-keys.js";

/** The recorded results of v1.29 for one file, by flag. */
interface RecordedForm {
  /** The number of public keys found, or the error of --service-account-key-file. */
  readonly keys: number | string;
  /** `ok`, or its error: --service-account-signing-key-file. */
  readonly signing: string;
  /** The number of authorities found, or the error of --client-ca-file and --requestheader-client-ca-file. */
  readonly authorities: number | string;
}

const recorded: Record<string, RecordedForm> = JSON.parse(
  await readFile(new URL("../../src/service-accounts/recorded-key-forms.json", import.meta.url), "utf8"),
);
const forms = keyForms();

/** Returns our results for a file, with v1.29's texts as far as they do not name Go's types. */
function madeOf(pem: string): RecordedForm {
  return {
    keys: outcome(() => verificationKeys(pem).length),
    signing: outcome(() => (signingKey(pem).id === "" ? "" : "ok")),
    authorities: outcome(() => authoritiesOf(pem).length),
  };
}

function outcome<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function expected(name: string, { keys, signing, authorities }: RecordedForm): RecordedForm {
  return {
    // v1.29 takes keys on P-224, believes nothing that is signed with them, and shows none of the keys beside them.
    keys:
      name === "all certificates"
        ? 4
        : name === "P-224 key, then an EC key"
          ? 1
          : name.includes("P-224")
            ? noKeys
            : keys,
    signing: signing === "ok" ? "ok" : "data does not contain a valid RSA or ECDSA private key",
    authorities:
      typeof authorities === "number"
        ? authorities
        : // OpenSSL knows a curve that Go does not.
          (known.get(name) ??
          (authorities.startsWith("x509: ") ? "certificate 1 cannot be read" : "holds no certificate")),
  };
}

const noKeys = "data does not contain any valid RSA or ECDSA public keys";
const known: ReadonlyMap<string, number> = new Map([
  ["certificate secp256k1", 1],
  ["all certificates", 7],
]);

test("every form of a key file has an answer of v1.29", () => {
  assert.deepEqual([...forms.keys()].sort(), Object.keys(recorded).sort());
});

for (const [name, answer] of Object.entries(recorded)) {
  test(`the file of keys or authorities "${name}" is taken or refused as by v1.29`, () => {
    assert.deepEqual(madeOf(forms.get(name) ?? ""), expected(name, answer));
  });
}
