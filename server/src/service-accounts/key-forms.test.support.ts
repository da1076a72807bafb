import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { keyFormCertificates as certificates } from "./key-form-certificates.test.support.js";

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const pem = "pem";
const ecPair = (namedCurve: string): KeyPair => generateKeyPairSync("ec", { namedCurve });

/** Forms of one key that any type can take. */
function formsOf(name: string, { privateKey, publicKey }: KeyPair): Record<string, string> {
  const encrypted = { cipher: "aes-256-cbc", passphrase: "secret" };
  const pkcs8 = privateKey.export({ type: "pkcs8", format: pem }).toString();
  const spki = publicKey.export({ type: "spki", format: pem }).toString();
  return {
    [`${name} pkcs8`]: pkcs8,
    [`${name} pkcs8 encrypted`]: privateKey.export({ type: "pkcs8", format: pem, ...encrypted }).toString(),
    [`${name} public`]: spki,
    [`${name} pkcs8 then public`]: pkcs8 + spki,
  };
}

function ecForms(name: string, pair: KeyPair): Record<string, string> {
  const sec1 = pair.privateKey.export({ type: "sec1", format: pem }).toString();
  const encrypted = { cipher: "aes-256-cbc", passphrase: "secret" };
  return {
    ...formsOf(name, pair),
    [`${name} sec1`]: sec1,
    [`${name} sec1 encrypted`]: pair.privateKey.export({ type: "sec1", format: pem, ...encrypted }).toString(),
    [`${name} sec1 labelled as RSA`]: relabelled(sec1, "RSA PRIVATE KEY"),
    [`${name} sec1 labelled as pkcs8`]: relabelled(sec1, "PRIVATE KEY"),
    [`${name} sec1 labelled as public`]: relabelled(sec1, "PUBLIC KEY"),
    [`${name} public labelled as sec1`]: relabelled(publicPem(pair), "EC PRIVATE KEY"),
  };
}

function rsaForms(name: string, pair: KeyPair): Record<string, string> {
  const pkcs1 = pair.privateKey.export({ type: "pkcs1", format: pem }).toString();
  const encrypted = { cipher: "aes-256-cbc", passphrase: "secret" };
  return {
    ...formsOf(name, pair),
    [`${name} pkcs1`]: pkcs1,
    [`${name} pkcs1 encrypted`]: pair.privateKey.export({ type: "pkcs1", format: pem, ...encrypted }).toString(),
    [`${name} pkcs1 public`]: pair.publicKey.export({ type: "pkcs1", format: pem }).toString(),
    [`${name} pkcs1 labelled as pkcs8`]: relabelled(pkcs1, "PRIVATE KEY"),
    [`${name} pkcs1 labelled as EC`]: relabelled(pkcs1, "EC PRIVATE KEY"),
    [`${name} pkcs1 labelled otherwise`]: relabelled(pkcs1, "A KEY"),
    [`${name} public labelled as certificate`]: relabelled(publicPem(pair), "CERTIFICATE"),
  };
}

const publicPem = ({ publicKey }: KeyPair): string => publicKey.export({ type: "spki", format: pem }).toString();

function relabelled(text: string, label: string): string {
  return text.replace(/(-----(?:BEGIN|END) )[A-Z0-9 ]+(-----)/g, `$1${label}$2`);
}

/** Returns variants of a PEM file around its blocks, by description. */
function layouts(name: string, text: string, other: string): Record<string, string> {
  const lines = text.trimEnd().split("\n");
  const [begin = "", ...rest] = lines;
  const end = rest.pop() ?? "";
  const body = rest.join("");
  return {
    [`${name}, CRLF`]: text.replaceAll("\n", "\r\n"),
    [`${name}, CR alone`]: text.replaceAll("\n", "\r"),
    [`${name}, leading text`]: `Bag Attributes\n    friendlyName: x\n${text}`,
    [`${name}, trailing text`]: `${text}that is all\n`,
    [`${name}, text in the line before`]: `x${text}`,
    [`${name}, text after the end line`]: `${text.trimEnd()} x\n`,
    [`${name}, spaces after the lines`]: text.replaceAll("\n", " \t\n"),
    [`${name}, indented`]: text.replaceAll(/^/gm, "  "),
    [`${name}, indented body`]: `${begin}\n  ${rest.join("\n  ")}\n${end}\n`,
    [`${name}, body in one line`]: `${begin}\n${body}\n${end}\n`,
    [`${name}, everything in one line`]: `${begin}${body}${end}\n`,
    [`${name}, body in the first line`]: `${begin}${body}\n${end}\n`,
    [`${name}, end in the last line of the body`]: `${begin}\n${body}${end}\n`,
    [`${name}, no newline at the end`]: text.trimEnd(),
    [`${name}, empty lines`]: text.replaceAll("\n", "\n\n"),
    [`${name}, a header`]: `${begin}\nComment: mine\n\n${rest.join("\n")}\n${end}\n`,
    [`${name}, a header without an empty line`]: `${begin}\nComment: mine\n${rest.join("\n")}\n${end}\n`,
    [`${name}, byte order mark`]: `\ufeff${text}`,
    [`${name}, other label at the end`]: `${lines.slice(0, -1).join("\n")}\n-----END OTHER-----\n`,
    [`${name}, no end`]: `${lines.slice(0, -1).join("\n")}\n`,
    [`${name}, no beginning`]: `${lines.slice(1).join("\n")}\n`,
    [`${name}, cut short`]: `${begin}\n${body.slice(0, 40)}\n${end}\n`,
    [`${name}, no base64`]: `${begin}\n${body.slice(0, 40)}!${body.slice(41)}\n${end}\n`,
    [`${name}, no padding`]: `${begin}\n${body.replaceAll("=", "")}\n${end}\n`,
    [`${name}, letters of URLs`]: `${begin}\n${body.replaceAll("+", "-").replaceAll("/", "_")}--__\n${end}\n`,
    [`${name}, more bytes after it`]: `${begin}\n${longer(body)}\n${end}\n`,
    [`${name}, twice`]: text + text,
    [`${name}, then another`]: text + other,
    [`${name}, after a block of something`]: `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${text}`,
    [`${name}, after a broken block`]: `-----BEGIN PUBLIC KEY-----\n????\n-----END PUBLIC KEY-----\n${text}`,
    [`${name}, after a block without end`]: `-----BEGIN PUBLIC KEY-----\n${text}`,
    [`${name}, after an empty block`]: `-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n${text}`,
    [`${name}, before a broken block`]: `${text}-----BEGIN PUBLIC KEY-----\n????\n-----END PUBLIC KEY-----\n`,
  };
}

const longer = (base64: string): string =>
  Buffer.concat([Buffer.from(base64, "base64"), Buffer.from([0, 0, 0])]).toString("base64");

/** The forms in which a file of keys may come, by a name: keys of this run, so that none is kept anywhere. */
export function keyForms(): ReadonlyMap<string, string> {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const p256 = ecPair("P-256");
  const publicRsa = publicPem(rsa);
  const sec1 = p256.privateKey.export({ type: "sec1", format: pem }).toString();
  const byCertificate = Object.entries(certificates).flatMap(([name, text]) => [
    [`certificate ${name}`, text],
    [`certificate ${name} labelled as public`, relabelled(text, "PUBLIC KEY")],
    [`certificate ${name} labelled as trusted`, relabelled(text, "TRUSTED CERTIFICATE")],
  ]);
  return new Map(
    Object.entries({
      empty: "",
      "no PEM": "hello\n",
      newline: "\n",
      ...rsaForms("RSA", rsa),
      ...rsaForms("RSA-1024", generateKeyPairSync("rsa", { modulusLength: 1024 })),
      ...formsOf("RSA-PSS", generateKeyPairSync("rsa-pss", { modulusLength: 2048 })),
      ...ecForms("P-256", p256),
      ...ecForms("P-384", ecPair("P-384")),
      ...ecForms("P-521", ecPair("P-521")),
      ...ecForms("P-224", ecPair("secp224r1")),
      ...ecForms("secp256k1", ecPair("secp256k1")),
      ...formsOf("Ed25519", generateKeyPairSync("ed25519")),
      ...formsOf("X25519", generateKeyPairSync("x25519")),
      ...Object.fromEntries(byCertificate),
      "all certificates": Object.values(certificates).join(""),
      "certificate and its authority": certificates.rsa + certificates["P-384"],
      "public key of each type": publicRsa + publicPem(p256) + publicPem(ecPair("P-384")) + publicPem(ecPair("P-521")),
      "public key, certificate and private key": publicRsa + certificates["P-256"] + sec1,
      ...layouts("public RSA key", publicRsa, sec1),
      ...layouts("EC key", sec1, publicRsa),
      ...layouts("certificate", certificates.rsa, certificates["P-256"]),
      "Ed25519 key, then an EC key":
        generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: pem }) + sec1,
      "P-224 key, then an EC key": ecPair("secp224r1").privateKey.export({ type: "sec1", format: pem }) + sec1,
    }),
  );
}
