import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const nonceBytes = 12;
const tagBytes = 16;

/** The keys of a plugin by their ID. A key follows from its ID, so that a plugin that starts anew reads what it wrote. */
export class KeyRing {
  readonly #name: string;
  #generation = 1;

  constructor(name: string) {
    this.#name = name;
  }

  /** The ID of the key that encrypts now. */
  get keyId(): string {
    return `${this.#name}-${this.#generation}`;
  }

  rotate(): void {
    this.#generation++;
  }

  encrypt(plain: Buffer): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", keyOf(this.keyId), nonce);
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts by the key of this ID. Throws when it did not encrypt. */
  decrypt(encrypted: Buffer, keyId: string): Buffer {
    const tagStart = encrypted.length - tagBytes;
    const decipher = createDecipheriv("aes-256-gcm", keyOf(keyId), encrypted.subarray(0, nonceBytes));
    decipher.setAuthTag(encrypted.subarray(tagStart));
    return Buffer.concat([decipher.update(encrypted.subarray(nonceBytes, tagStart)), decipher.final()]);
  }
}

function keyOf(keyId: string): Buffer {
  return createHash("sha256").update(`not a secret: ${keyId}`).digest();
}
