import assert from "node:assert/strict";
import { test } from "node:test";
import { apiServerControllers, controllerNames } from "./controller-names.js";
import { selectControllers, validateControllerSelection } from "./controller-selection.js";

const ofApiServer = controllerNames.filter((name) => apiServerControllers.has(name));

const rows: readonly {
  readonly name: string;
  readonly given: readonly string[];
  readonly picked: readonly string[];
}[] = [
  { name: "a star picks all", given: ["*"], picked: controllerNames },
  { name: "nothing picks nothing", given: [], picked: [] },
  {
    name: "without a star only what is named is picked",
    given: ["namespace-controller", "serviceaccount-controller"],
    picked: ["serviceaccount-controller", "namespace-controller"],
  },
  {
    name: "a minus takes out, wherever the star stands",
    given: ["-garbage-collector-controller", "*"],
    picked: controllerNames.filter((name) => name !== "garbage-collector-controller"),
  },
  {
    name: "older names are taken",
    given: ["namespace", "podgc", "-serviceaccount"],
    picked: ["namespace-controller", "pod-garbage-collector-controller"],
  },
  { name: "the name of a program picks what that runs", given: ["kube-apiserver"], picked: ofApiServer },
  { name: "the name of a program is taken out", given: ["*", "-kube-controller-manager"], picked: ofApiServer },
  {
    name: "one controller of a program is left on, when it is named before",
    given: ["garbagecollector", "-kube-controller-manager", "*"],
    picked: [...ofApiServer, "garbage-collector-controller"],
  },
  { name: "the first mention decides", given: ["-namespace", "namespace-controller"], picked: [] },
];

for (const { name, given, picked } of rows) {
  test(`--controllers: ${name}`, () => {
    assert.deepEqual(validateControllerSelection(given), []);
    assert.deepEqual(selectControllers(given), picked);
  });
}

test("--controllers: every unknown name is a problem of its own that lists the known ones", () => {
  const known = [...controllerNames, "kube-apiserver", "kube-controller-manager"].join(", ");
  assert.deepEqual(validateControllerSelection(["*", "foo", "-bar", ""]), [
    `"foo" is not in the list of known controllers: ${known}`,
    `"bar" is not in the list of known controllers: ${known}`,
    `"" is not in the list of known controllers: ${known}`,
  ]);
});
