import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import type { MayDo } from "@gatehouse/apiserver/admission";
import { askPlugin, type TestWrite } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { certificateApproval } from "./certificate-approval.js";
import { certificateSigning } from "./certificate-signing.js";
import { certificateSubjectRestriction } from "./certificate-subject-restriction.js";
import { clusterTrustBundleAttest } from "./cluster-trust-bundle-attest.js";

const group = "certificates.k8s.io";

/** Allows one verb on one name of a signer. */
const may = (verb: string, name: string): { readonly mayDo: MayDo } => ({
  mayDo: (access) => ({
    isAllowed: access.verb === verb && access.name === name && access.group === group && access.resource === "signers",
    reason: "",
  }),
});

const failing: { readonly mayDo: MayDo } = {
  mayDo: async () => {
    throw new Error("the authorizer is away");
  },
};

function request(status: JsonObject, signerName = "example.com/s"): JsonObject {
  return { metadata: { name: "r" }, spec: { signerName }, status };
}

const write = (subresource: string, oldObject: JsonObject, object: JsonObject): TestWrite => ({
  operation: "UPDATE",
  group,
  resource: "certificatesigningrequests",
  subresource,
  name: "r",
  namespace: "",
  oldObject,
  object,
});

test("approval needs the verb approve on the signer of the stored request, or on all of its domain", async () => {
  const approval = write("approval", request({}), request({}, "example.org/other"));
  const refusalOf = async (parts: { readonly mayDo: MayDo }, about: TestWrite = approval) =>
    (await askPlugin(certificateApproval(parts), about)).refusal;
  const refused = [
    403,
    'certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to approve requests with signerName "example.com/s"',
  ];
  assert.equal(await refusalOf(may("approve", "example.com/s")), undefined);
  assert.equal(await refusalOf(may("approve", "example.com/*")), undefined);
  assert.deepEqual(await refusalOf(may("sign", "example.com/s")), refused);
  assert.deepEqual(await refusalOf(may("approve", "example.org/other")), refused);
  assert.deepEqual(await refusalOf(failing), refused);
  assert.equal(await refusalOf(failing, { ...approval, subresource: "status" }), undefined);
});

test("a certificate or condition is written only by who may sign for the signer", async () => {
  const refusalOf = async (parts: { readonly mayDo: MayDo }, status: JsonObject) =>
    (await askPlugin(certificateSigning(parts), write("status", request({ conditions: [] }), request(status)))).refusal;
  const refused = [
    403,
    'certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to sign requests with signerName "example.com/s"',
  ];
  assert.equal(await refusalOf(failing, {}), undefined);
  assert.equal(await refusalOf(may("sign", "example.com/*"), { certificate: "AA==" }), undefined);
  assert.deepEqual(await refusalOf(may("approve", "example.com/s"), { certificate: "AA==" }), refused);
  assert.deepEqual(await refusalOf(failing, { conditions: [{ type: "Failed" }] }), refused);
});

test("a bundle for a signer is written only by who may attest for it, where the gate is on", async () => {
  const refusalOf = async (isOn: boolean, about: TestWrite) => {
    const parts = { ...failing, features: { enabled: (name: string) => isOn && name === "ClusterTrustBundle" } };
    return (await askPlugin(clusterTrustBundleAttest(parts), { group, resource: "clustertrustbundles", ...about }))
      .refusal;
  };
  const bundle = (signerName: string, more: JsonObject = {}): JsonObject => ({
    metadata: { name: "b", ...more },
    spec: { signerName, trustBundle: "x" },
  });
  const refused = [
    403,
    'clustertrustbundles.certificates.k8s.io "b" is forbidden: user not permitted to attest for signerName "example.com/s"',
  ];
  assert.deepEqual(await refusalOf(true, { object: bundle("example.com/s") }), refused);
  assert.equal(await refusalOf(false, { object: bundle("example.com/s") }), undefined);
  assert.equal(await refusalOf(true, { object: bundle("") }), undefined);
  const update = (metadata: JsonObject): TestWrite => ({
    operation: "UPDATE",
    oldObject: bundle("example.com/s"),
    object: bundle("example.com/s", metadata),
  });
  assert.equal(await refusalOf(true, update({ finalizers: ["a/b"], managedFields: [] })), undefined);
  assert.deepEqual(await refusalOf(true, update({ labels: { a: "b" } })), refused);
});

/** `openssl req -new -key key.pem -subj "/CN=a/O=ORGANIZATION"`. */
function requestOf(...organizations: readonly string[]): string {
  const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
    const content = Buffer.concat(parts);
    const length = content.length < 0x80 ? [content.length] : [0x81, content.length];
    return Buffer.concat([Buffer.from([tag, ...length]), content]);
  };
  const identifier = (oid: string): Buffer => der(0x06, Buffer.from(oid, "hex"));
  const attribute = (oid: string, text: string): Buffer =>
    der(0x31, der(0x30, identifier(oid), der(0x0c, Buffer.from(text))));
  const subject = der(0x30, attribute("550403", "a"), ...organizations.map((text) => attribute("55040a", text)));
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = publicKey.export({ type: "spki", format: "der" });
  const info = der(0x30, der(0x02, Buffer.from([0])), subject, key, der(0xa0));
  const signature = Buffer.concat([Buffer.from([0]), sign(null, info, privateKey)]);
  const pem = pemOf(der(0x30, info, der(0x30, identifier("2b6570")), der(0x03, signature)));
  return Buffer.from(pem).toString("base64");
}

function pemOf(der: Buffer): string {
  return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
}

test("nobody gets a client certificate for system:masters", async () => {
  const refusalOf = async (signerName: string, ...organizations: string[]) => {
    const object = { metadata: { generateName: "r-" }, spec: { signerName, request: requestOf(...organizations) } };
    const about = { group, resource: "certificatesigningrequests", namespace: "", object };
    return (await askPlugin(certificateSubjectRestriction(), about)).refusal;
  };
  const signer = "kubernetes.io/kube-apiserver-client";
  assert.deepEqual(await refusalOf(signer, "a", "system:masters"), [
    403,
    `certificatesigningrequests.certificates.k8s.io "r-" is forbidden: use of ${signer} signer with system:masters group is not allowed`,
  ]);
  assert.equal(await refusalOf(signer, "system:nodes"), undefined);
  assert.equal(await refusalOf("kubernetes.io/kubelet-serving", "system:masters"), undefined);
});
