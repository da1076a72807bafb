import { after, before, describe } from "node:test";
import { describeStoreContract } from "@gatehouse/testing/store-contract";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { createEtcdFixture } from "../support/etcd-store-fixture.js";

const found = await findEtcd();

describe("on etcd", { skip: "skip" in found ? found.skip : false }, () => {
  let etcd: EtcdProcess;
  before(async () => {
    // The suite has a value of 3 MiB; etcd takes half of that unless told otherwise.
    const args = ["--max-request-bytes", "8000000"];
    etcd = await EtcdProcess.start({ path: "path" in found ? found.path : "", args });
  });
  after(() => etcd[Symbol.asyncDispose]());

  describeStoreContract("etcd", () => createEtcdFixture(etcd.url));
});
