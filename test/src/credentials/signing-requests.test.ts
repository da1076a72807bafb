import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { type IssuedNames, issuedNames } from "./issued-names.js";

/** A request, and the answers of v1.29's API server and signer to it. */
interface RecordedRequest extends Outcome {
  readonly name: string;
  /** Base64 of the PEM text. */
  readonly request: string;
  readonly signerName?: string;
  readonly usages?: readonly string[];
}

interface Outcome {
  readonly code: number;
  /** Details of a refusal. */
  readonly message?: string;
  /** Message of the condition Failed. */
  readonly failed?: string;
  readonly certificate?: IssuedNames;
}

const file = new URL("../../src/credentials/recorded-signing-requests.json", import.meta.url);
const requests = JSON.parse(readFileSync(file, "utf8")) as readonly RecordedRequest[];
const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

const notAlone = "must be one PEM block without headers, and comments in front or behind";
const oddText =
  "an attribute of the subject is not text that all programs read the same: only UTF8String, PrintableString and IA5String are accepted";
const twoValues = "an attribute of the subject has more than one value";
const subjectIsSet =
  "asn1: structure error: tags don't match (16 vs {class:0 tag:17 length:15 isCompound:true}) {optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false} tbsCertificateRequest @2";
const oddUris = [
  "spiffe://a b/c",
  "spiffe://example.com/a b",
  "spiffe://example.com/%zz",
  "http://a\u0001b/",
  "http://example.com/a|b",
  "http://example.com/{}",
  "http://a..b/",
  "http://example.com:port/",
  "HTTP://Example.COM/%7e?q#f",
  "http://example.com#",
];
const noUri = (uri: string) => `x509: cannot parse URI ${JSON.stringify(uri)}`;

/** The requests that are refused although v1.29 signs them, or in other words (docs/decisions/0039-one-reader.md). */
const refusedHere: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^blanks behind BEGIN, then a block/, notAlone],
  [/^text behind BEGIN, then/, notAlone],
  [/^text on the line of BEGIN, then/, notAlone],
  [/^text behind END on its line, then/, notAlone],
  [/^a NUL byte behind$/, notAlone],
  [/^a header|^headers of encryption$/, notAlone],
  [/^two blocks|^the block twice$/, notAlone],
  [/^a block (?:whose base64 is broken|with another END|within a block|of another type behind)/, notAlone],
  [/^a colon within the base64$/, notAlone],
  [/^a beginning without an end, then|^an empty block, then one$/, notAlone],
  [/^a node's request(?: behind text on the line of BEGIN)?, and another's/, notAlone],
  [/^an attribute with three elements$/, twoValues],
  [/(?:as|is a) T61String$|^a T61String/, oddText],
  [/as (?:BMP|Universal|Numeric|Visible|General|Videotex|Graphic)String$|^a BMPString/, oddText],
  [/as (?:ObjectDescriptor|OCTET STRING|BIT STRING|UTF8String, constructed)$/, oddText],
  [/as a (?:private|context) tag$|^an integer as organization$/, oddText],
  [/^data behind the key$/, "there are bytes after the public key"],
  [/^a subject that is a set$/, subjectIsSet],
  ...oddUris.map((uri) => [new RegExp(`^the URI ${escaped(JSON.stringify(uri))}$`), noUri(uri)] as const),
];

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function expectedOf({ name, code, message, failed, certificate }: RecordedRequest): Outcome {
  const stricter = refusedHere.find(([pattern]) => pattern.test(name));
  return stricter === undefined
    ? {
        code,
        ...(message === undefined ? {} : { message }),
        ...(failed === undefined ? {} : { failed }),
        ...(certificate === undefined ? {} : { certificate }),
      }
    : { code: 422, message: stricter[1] };
}

describe("Requests for certificates", () => {
  let server: ControlPlane;
  let admin: ApiClient;
  const outcomes = new Map<string, Outcome>();
  before(async () => {
    server = await startTestServer({
      flagsFor: async ({ authority, caFile }) => {
        const keyFile = `${caFile}.key`;
        await writeFile(keyFile, authority.keyPem, { mode: 0o600 });
        return [`--cluster-signing-cert-file=${caFile}`, `--cluster-signing-key-file=${keyFile}`];
      },
    });
    admin = createApiClient(server.clientConfig);
    for (let first = 0; first < requests.length; first += 20) {
      const some = requests.slice(first, first + 20);
      await Promise.all(
        some.map(async (request, index) => outcomes.set(request.name, await ask(`r-${first + index}`, request))),
      );
    }
  });
  after(async () => {
    admin[Symbol.dispose]();
    await server.stop();
  });

  async function ask(name: string, recorded: RecordedRequest): Promise<Outcome> {
    const {
      request,
      signerName = "kubernetes.io/kube-apiserver-client",
      usages = ["digital signature", "client auth"],
    } = recorded;
    const made = await admin.post(path, { metadata: { name }, spec: { request, signerName, usages } });
    if (made.status !== 201) {
      const { message } = made.document as unknown as { readonly message: string };
      return {
        code: made.status,
        message: message.replace(/^.*?(?: is forbidden: |Invalid value: \[\]byte(?:\{[^}]*\}|\(nil\)): )/, ""),
      };
    }
    const conditions = [{ type: "Approved", status: "True", reason: "Test", message: "yes" }];
    await admin.put(`${path}/${name}/approval`, { ...(made.document as object), status: { conditions } });
    return await until(`${recorded.name} is signed or has failed`, async () => {
      const { status } = (await admin.get(`${path}/${name}`)).document as unknown as {
        readonly status: {
          readonly certificate?: string;
          readonly conditions: readonly { readonly type: string; readonly message: string }[];
        };
      };
      const failed = status.conditions.find(({ type }) => type === "Failed")?.message;
      const { certificate } = status;
      return failed !== undefined
        ? { code: 201, failed }
        : certificate !== undefined && { code: 201, certificate: issuedNames(Buffer.from(certificate, "base64")) };
    });
  }

  for (const request of requests) {
    it(`${request.name}: the answer is that of v1.29, or a stated refusal`, () => {
      assert.deepEqual(outcomes.get(request.name), expectedOf(request));
    });
  }
});
