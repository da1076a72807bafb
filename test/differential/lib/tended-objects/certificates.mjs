// Requests for certificates that signers sign or refuse, with drawn subjects, names, usages and conditions.
import "reflect-metadata"; // before the X.509 library, whose container looks for it
import { createHash } from "node:crypto";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  X509Certificate,
} from "@peculiar/x509";
import { send } from "../life-cycles/steps.mjs";
import { subjectOf } from "../life-cycles/subjects.mjs";
import { as } from "../random-users.mjs";
import { erase, look, merge, world } from "./steps.mjs";

const apiVersion = "certificates.k8s.io/v1";
const kind = { apiVersion, kind: "CertificateSigningRequest", plural: "certificatesigningrequests", isOfCluster: true };
const client = "kubernetes.io/kube-apiserver-client";
const kubeletClient = "kubernetes.io/kube-apiserver-client-kubelet";
const kubeletServing = "kubernetes.io/kubelet-serving";
const legacy = "kubernetes.io/legacy-unknown";
const most = [client, client, kubeletClient, kubeletClient, kubeletServing, kubeletServing];
const signers = [...most, ...most, legacy, "example.com/own"];

const ec = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const algorithms = [
  ec,
  ec,
  { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" },
  { name: "RSASSA-PKCS1-v1_5", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" },
  { name: "RSA-PSS", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256", saltLength: 32 },
  { name: "ECDSA", namedCurve: "P-521", hash: "SHA-512" },
  { name: "Ed25519" },
];
const pairs = Promise.all(
  algorithms.map(async (algorithm) => ({
    signingAlgorithm: algorithm,
    keys: await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]),
  })),
);

/** Draws the steps of a world. */
export async function certificateSteps(r, base) {
  const subject = subjectOf(kind, { key: "request", base });
  const made = await makeRequest(r, subject);
  const again = await makeRequest(r, subject);
  const actions = [
    () => approval(r, subject),
    () => approval(r, subject),
    () => statusChange(r, subject),
    () => merge(subject.path, { metadata: { labels: { a: r.pick(["1", "2"]) } } }),
    () => erase(r, subject),
    () => again,
  ];
  const looks = (label) => [look(subject, label)];
  const first = r.chance(0.8) ? [addConditions(subject, "approval", [{ type: "Approved", status: "True" }])] : [];
  return world({
    made: [made],
    actions: [...first, ...Array.from({ length: 1 + r.int(3) }, () => r.pick(actions)())],
    looks,
    readable,
  });
}

async function makeRequest(r, { collection, name }) {
  const signerName = r.pick(signers);
  const request = Buffer.from(await requestText(r, signerName)).toString("base64");
  const spec = {
    request,
    signerName,
    usages: usagesFor(r, signerName),
    ...(r.chance(0.5) && {
      expirationSeconds: r.pick([600, 601, 3600, 28799, 28800, 86400, 31536000, 2147483647, 599]),
    }),
  };
  const users = [{}, {}, as("system:node:a", ["system:nodes"]), as("jane", ["developers"])];
  const step = send("POST", collection, { apiVersion, kind: kind.kind, metadata: { name }, spec });
  return { ...step, headers: { ...step.headers, ...r.pick(users) } };
}

const plainUsages = [
  "digital signature",
  "key encipherment",
  "signing",
  "content commitment",
  "key agreement",
  "cert sign",
];
const purposes = [
  "client auth",
  "server auth",
  "any",
  "code signing",
  "email protection",
  "s/mime",
  "timestamping",
  "ocsp signing",
  "ipsec user",
];

function usagesFor(r, signerName) {
  const purpose = signerName === kubeletServing ? "server auth" : "client auth";
  if (r.chance(0.65)) return ["digital signature", ...(r.chance(0.6) ? ["key encipherment"] : []), purpose];
  return [...new Set([...r.some([...plainUsages, ...purposes], 0.2), ...r.some(["digital signature", purpose], 0.8)])];
}

/** Draws a request in PEM: mostly one that the signer takes. */
async function requestText(r, signerName) {
  const isOfNode = signerName === kubeletClient || signerName === kubeletServing;
  const attributes = isOfNode && r.chance(0.75) ? nodeSubject(r) : drawnSubject(r);
  const names =
    signerName === kubeletServing && r.chance(0.75) ? servingNames(r) : drawnNames(r, isOfNode ? 0.1 : 0.25);
  const pair = r.pick(await pairs);
  const extensions = [
    ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
    ...(r.chance(0.1) ? [new BasicConstraintsExtension(true)] : []),
    ...(r.chance(0.1) ? [new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.3"])] : []),
  ];
  const made = await Pkcs10CertificateRequestGenerator.create({ name: attributes, extensions, ...pair });
  const text = made.toString("pem");
  return `${text}\n`;
}

const utf8 = (type, value) => ({ [type]: [{ utf8String: value }] });

function nodeSubject(r) {
  const organization = r.chance(0.9) ? [utf8("O", "system:nodes")] : [];
  const others = r.chance(0.1) ? [utf8("O", r.pick(["system:nodes", "x"]))] : [];
  const name = utf8("CN", r.pick(["system:node:a", "system:node:a", "system:node:", "system:nodes:a", "a"]));
  return [...organization, ...others, name];
}

function drawnSubject(r) {
  // Nothing of these goes into a certificate.
  if (r.chance(0.1)) return r.pick([[], [utf8("CN", "")], [utf8("2.5.4.42", "given")], [utf8("DC", "example")]]);
  const parts = [
    ...["developers", "testers", "grüße", "system:nodes"].map((value) => utf8("O", value)),
    utf8("OU", "unit"),
    utf8("C", "DE"),
    utf8("ST", "state"),
    utf8("L", "place"),
    utf8("2.5.4.9", "street 1"),
    utf8("2.5.4.5", "17"),
    utf8("2.5.4.42", "given"),
    utf8("DC", "example"),
    utf8("2.5.4.17", "01234"),
    utf8("OU", "Unit two"),
    utf8("O", ""),
    utf8("CN", "first"),
  ].filter(() => r.chance(0.2));
  const name = r.pick(["jane", "jane", "system:node:a", "a@b_c*", "ü", ""]);
  return [...parts, ...(r.chance(0.9) ? [utf8("CN", name)] : [])];
}

const names = {
  dns: ["a.example.com", "*.example.com", "b", "A_b", "x y"],
  ip: ["10.0.0.1", "10.0.0.1", "::1", "::ffff:10.0.0.2", "2001:db8::1"],
  email: ["jane@example.com", "nobody"],
  url: ["spiffe://example.com/jane", "https://example.com:443/a?b#c", "urn:x:y"],
};

const servingNames = (r) =>
  r.some(
    [
      { type: "dns", value: "a.example.com" },
      { type: "ip", value: "10.0.0.1" },
      { type: "ip", value: "::1" },
    ],
    0.7,
  );

function drawnNames(r, probability) {
  const all = Object.entries(names).flatMap(([type, values]) => values.map((value) => ({ type, value })));
  return r.chance(probability) ? r.some(all, 0.2) : [];
}

/** Changes the conditions of a request by one of the subresources. */
function approval(r, subject) {
  const chosen = r.some(["Approved", "Denied", "Failed", "Own"], 0.35).map((type) => ({
    type,
    status: type === "Approved" || type === "Denied" || type === "Failed" ? "True" : r.pick(["True", "False"]),
    ...(r.chance(0.5) && { reason: r.pick(["R", "S"]), message: "m" }),
  }));
  return addConditions(subject, r.pick(["approval", "approval", "approval", "status"]), chosen);
}

const addConditions = ({ path }, subresource, conditions) =>
  send("PATCH", `${path}/${subresource}`, { status: { conditions } }, "strategic");

function statusChange(r, { path }) {
  return merge(`${path}/status`, {
    status: r.pick([
      { certificate: null },
      { conditions: null },
      { conditions: [{ type: "Failed", status: "True", reason: "R" }] },
    ]),
  });
}

/** Returns a request whose certificate is shown by what it says, but for its number, its signature and when it begins. */
function readable(object) {
  const text = object.status?.certificate;
  if (text === undefined) return object;
  return { ...object, status: { ...object.status, certificate: contentOf(Buffer.from(text, "base64").toString()) } };
}

const hex = (bytes) => Buffer.from(bytes).toString("hex");

function contentOf(pem) {
  const certificate = new X509Certificate(pem);
  const { notBefore, notAfter, serialNumber, signatureAlgorithm } = certificate;
  return {
    blocks: pem.match(/-----BEGIN [^-]*-----/g),
    endsWithNewline: pem.endsWith("\n"),
    subject: hex(certificate.subjectName.toArrayBuffer()),
    subjectText: certificate.subject,
    issuer: hex(certificate.issuerName.toArrayBuffer()),
    key: createHash("sha256").update(Buffer.from(certificate.publicKey.rawData)).digest("hex"),
    seconds: (notAfter.getTime() - notBefore.getTime()) / 1000,
    isNumberLong: serialNumber.length > 24,
    signatureAlgorithm: { name: signatureAlgorithm.name, hash: signatureAlgorithm.hash?.name },
    extensions: certificate.extensions.map(({ type, critical, value }) => ({ type, critical, value: hex(value) })),
  };
}
