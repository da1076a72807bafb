import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { TestIssuer } from "./test-issuer.test.support.js";

const base64 = (text: string | Buffer): string => Buffer.from(text).toString("base64url");

/**
 * Tokens whose key is the issuer's, and which say what they say in a way that one reader could take for something else than
 * another: twice, in another type, in other letters, beyond what a number can be. `claims` are those of a good token.
 */
export function oddTokenCases(issuer: TestIssuer, claims: object): Readonly<Record<string, string>> {
  const rsa = issuer.privateKeys.get("rsa") as KeyObject;
  const text = JSON.stringify(claims);
  const token = (header: string, payload = text) => {
    const input = `${base64(header)}.${base64(payload)}`;
    return `${input}.${base64(signBytes("sha256", Buffer.from(input), rsa))}`;
  };
  const header = (more: object) => token(JSON.stringify({ alg: "RS256", kid: "rsa", ...more }));
  const payload = (written: string) => token('{"alg":"RS256","kid":"rsa"}', written);
  const number = (claim: string, written: string) =>
    payload(
      text
        .replace(new RegExp(`"${claim}":\\d+`), "")
        .replace("{,", "{")
        .replace(",,", ",")
        .replace(/,?}$/, `,"${claim}":${written}}`),
    );
  const beside = (claim: string) => payload(text.replace(/}$/, `,${claim}}`));
  const before = (claim: string) => payload(text.replace("{", `{${claim},`));
  const [first, second, third] = token('{"alg":"RS256","kid":"rsa"}').split(".") as [string, string, string];
  const own = createPublicKey(createPrivateKey(rsa.export({ type: "pkcs8", format: "pem" }))).export({ format: "jwk" });
  const strange = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
  return {
    // Headers that say a thing twice, or in another type.
    "alg twice, none first": token('{"alg":"none","alg":"RS256","kid":"rsa"}'),
    "alg twice, none last": token('{"alg":"RS256","alg":"none","kid":"rsa"}'),
    "alg by another name": token('{"Alg":"RS256","kid":"rsa"}'),
    "alg number": header({ alg: 1 }),
    "alg list": header({ alg: ["RS256"] }),
    "alg null": header({ alg: null }),
    "alg with a space": header({ alg: "RS256 " }),
    "kid twice, ours first": token('{"alg":"RS256","kid":"rsa","kid":"nope"}'),
    "kid twice, ours last": token('{"alg":"RS256","kid":"nope","kid":"rsa"}'),
    "kid number": header({ kid: 1 }),
    "kid list": header({ kid: ["rsa"] }),
    "kid null": header({ kid: null }),
    "kid with a zero behind it": header({ kid: "rsa\0" }),
    "kid of a prototype": header({ kid: "__proto__" }),
    "typ twice": token('{"alg":"RS256","kid":"rsa","typ":"a","typ":"b"}'),
    "nonce in the header": header({ nonce: "x" }),
    "nonce number in the header": header({ nonce: 1 }),
    "header empty": `.${second}.${third}`,
    "header null": `${base64("null")}.${second}.${third}`,
    "header list": `${base64("[]")}.${second}.${third}`,
    // What headers say of keys and of how to read the rest.
    "own key in jwk": header({ jwk: own }),
    "private key in jwk": header({ jwk: strange }),
    "secret in jwk": header({ jwk: { kty: "oct", k: "AAAA" } }),
    "jwk text": header({ jwk: "x" }),
    "x5c text": header({ x5c: "AAAA" }),
    "x5c empty": header({ x5c: [] }),
    "b64 false": header({ b64: false }),
    "b64 false, and critical": header({ b64: false, crit: ["b64"] }),
    "b64 true, and critical": header({ b64: true, crit: ["b64"] }),
    "crit text": header({ crit: "exp" }),
    "crit alg": header({ crit: ["alg"] }),
    "zip of what is not compressed": header({ zip: "DEF" }),
    "zip of what is compressed": `${base64('{"alg":"RS256","kid":"rsa","zip":"DEF"}')}.${base64(deflateRawSync(text))}.${third}`,
    "five parts, as what is encrypted has": `${base64('{"alg":"dir","enc":"A256GCM"}')}..AAAA.AAAA.AAAA`,
    "all parts in one document": JSON.stringify({ protected: first, payload: second, signature: third }),
    // Letters that are not those of base64url.
    "padding in the header": `${first}=.${second}.${third}`,
    "padding in the signature": `${first}.${second}.${third}==`,
    "signature of other letters": `${first}.${second}.!!!!`,
    "signature with a zero behind it": `${first}.${second}.${third}\0`,
    "two dots": "..",
    // Claims twice, and in other letters: for v1.29 the last one counts, of any case.
    "subject twice": before('"sub":"evil"'),
    "subject also in capitals, last": beside('"SUB":"root"'),
    "subject also in capitals, first": before('"SUB":"root"'),
    "subject with half a character": payload(text.replace('"jane"', '"\\ud800"')),
    "issuer in escapes": payload(text.replace('"iss":"https:', '"i\\u0073s":"\\u0068ttps:')),
    "issuer also in capitals, last": beside('"ISS":"https://evil"'),
    "issuer also in capitals, first": before('"ISS":"https://evil"'),
    "audience also in capitals, last": beside('"AUD":"web"'),
    // A spelling that does not count is read all the same.
    "audience number, and a good one in capitals": payload(text.replace('"aud":"api"', '"aud":5,"AUD":"api"')),
    "audience list with a number, and a good one in capitals": payload(
      text.replace('"aud":"api"', '"aud":["api",5],"AUD":"api"'),
    ),
    "subject number in capitals, first": before('"SUB":5'),
    "expires a word in capitals, first": before('"EXP":"x"'),
    "audience list with null": payload(text.replace('"aud":"api"', '"aud":["api",null]')),
    "audience with a zero behind it": payload(text.replace('"api"', '"api\\u0000"')),
    "groups twice": beside('"groups":["a"],"groups":["b"]'),
    "prototype among the claims": before('"__proto__":{"sub":"evil"}'),
    // Numbers.
    "expires also in capitals, last": beside('"EXP":1'),
    "expires twice, in the past last": beside('"exp":1'),
    "expires beyond 64 bits": number("exp", "99999999999999999999"),
    "expires at the last of 64 bits": number("exp", "9223372036854775808"),
    "expires at 1e308": number("exp", "1e308"),
    "expires at 1e15": number("exp", "1e15"),
    "expires at minus nothing": number("exp", "-0"),
    "expires with a zero before it": number("exp", "04102444800"),
    "expires at no number": number("exp", "NaN"),
    "expires true": number("exp", "true"),
    "not before 1e308": number("nbf", "1e308"),
    "not before minus one": number("nbf", "-1"),
    "not before as digits in text": number("nbf", '"1"'),
    "not before a list": number("nbf", "[]"),
    "issued at 1e30": number("iat", "1e30"),
    // Payloads that are not quite JSON.
    "payload null": payload("null"),
    "payload empty": payload(""),
    "payload with something behind it": payload(`${text}x`),
    "payload twice": payload(text + text),
    "payload with space around it": payload(` \n${text}\n `),
    "payload with a mark of order": payload(`\ufeff${text}`),
    "payload with a comma at the end": payload(text.replace(/}$/, ",}")),
    // Claims that are said to be elsewhere.
    "distributed name a number": beside('"_claim_names":{"groups":1}'),
    "distributed name null": beside('"_claim_names":{"groups":null}'),
    "distributed names null": beside('"_claim_names":null'),
    "distributed sources a list": beside('"_claim_names":{"groups":"s"},"_claim_sources":[]'),
    "distributed source null": beside('"_claim_names":{"groups":"s"},"_claim_sources":{"s":null}'),
    "distributed endpoint a number": beside('"_claim_names":{"groups":"s"},"_claim_sources":{"s":{"endpoint":1}}'),
    "distributed endpoint empty": beside('"_claim_names":{"groups":"s"},"_claim_sources":{"s":{"endpoint":""}}'),
  };
}
