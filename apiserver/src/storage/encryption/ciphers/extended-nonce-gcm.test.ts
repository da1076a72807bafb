import assert from "node:assert/strict";
import { createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { extendedNonceGcm } from "./extended-nonce-gcm.js";

for (const seedBytes of [32, 64, 65, 200]) {
  test(`the key of a value is the expansion of a seed of ${seedBytes} bytes by HMAC`, () => {
    const seed = randomBytes(seedBytes);
    const cipher = extendedNonceGcm(seed);
    for (let round = 0; round < 3; round++) {
      const stored = Buffer.concat(cipher.toParts("/registry/secrets/default/one", Buffer.from("the value")));
      const key = createHmac("sha256", seed).update(stored.subarray(0, 32)).update(Buffer.of(1)).digest();
      const decipher = createDecipheriv("aes-256-gcm", key, stored.subarray(32, 44));
      decipher.setAAD(Buffer.from("/registry/secrets/default/one"));
      decipher.setAuthTag(stored.subarray(-16));
      const value = Buffer.concat([decipher.update(stored.subarray(44, -16)), decipher.final()]);
      assert.equal(value.toString(), "the value");
    }
  });
}
