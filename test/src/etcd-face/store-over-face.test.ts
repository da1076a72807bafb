import { after, before, describe } from "node:test";
import { describeStoreContract } from "@gatehouse/testing/store-contract";
import { createEtcdFixture } from "../support/etcd-store-fixture.js";
import { ServedFace } from "./served-face.js";

describe("the etcd store, with the embedded store as its etcd", () => {
  let face: ServedFace;
  before(async () => {
    // The suite has a value of 3 MiB; etcd takes half of that unless told otherwise.
    face = await ServedFace.start(["--listen-etcd-max-request-bytes", "8000000"]);
  });
  after(async () => {
    await face[Symbol.asyncDispose]();
  });

  describeStoreContract("etcd, on the embedded store", () => createEtcdFixture(face.url));
});
