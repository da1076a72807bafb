import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { validateIscsi } from "./iscsi.js";

test("the name of a target is qualified when its end is", () => {
  const problems = (iqn: string): number => {
    const errors = new FieldErrors();
    validateIscsi({ targetPortal: "1.2.3.4", iqn }, "v", "pod", FieldPath.of("iscsi"), errors);
    return errors.list.length;
  };
  const good = [
    "iqn.2015-02.example.com:storage",
    "iqn and iqn.2015-02.example.com:storage",
    "iqn:x:iqn.2015-02.a:b:c",
    `eui.${"0".repeat(16)}`,
    `naa.${"0".repeat(32)}`,
  ];
  const bad = [
    "iqn.2015-02.example.com",
    "iqn.2015-02.example.com:",
    "iqn.2015-02.a:b c",
    "iqn.15-02.a:b",
    "eui.0",
    "x",
  ];

  assert.deepEqual(good.map(problems), [0, 0, 0, 0, 0]);
  assert.deepEqual(bad.map(problems), [1, 1, 1, 1, 1, 1]);
});

test("a name of a megabyte is read in linear time", () => {
  const seconds = (iqn: string): number => {
    const start = performance.now();
    validateIscsi({ targetPortal: "1.2.3.4", iqn }, "v", "pod", FieldPath.of("iscsi"), new FieldErrors());
    return (performance.now() - start) / 1000;
  };

  assert.ok(seconds(`${"iqn.2015-02.a:".repeat(70_000)},`) < 1);
  assert.ok(seconds("iqn.2015-02.a".repeat(70_000)) < 1);
});
