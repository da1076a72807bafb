// Services of two IP families: creation with every policy, list of families and list of addresses, and updates from one
// form to another. Both servers run with the same two ranges, `--service-cluster-ip-range=10.0.0.0/16,fd00::/108` or the
// reverse, without controllers that write Services or quotas.
import { merge, namespaced, post, put, quiet, remove } from "../lib/admission-steps.mjs";
import { comparable as withoutChance } from "../lib/comparable.mjs";

export const parallel = 1;

export async function* cases() {
  for (const { name, steps } of sequences()) {
    yield { name, steps: steps.map((step) => ({ view: comparable, ...step })), independent: true };
  }
}

/** An answer without node ports that are drawn by lot. */
export function comparable({ body }) {
  return withoutChance({ body: Buffer.from(body.toString().replace(/odePort":3\d{4}/g, 'odePort":3')) });
}

/*
 * v1.29 leaks the one address of a Service when the other one cannot be allocated, and which one it allocates first is
 * chance. So that this changes no other case, each sequence has addresses of its own: 10.0.0.N and fd00::N stand for N in
 * its block of 32.
 */
const blockOf = (index) => ({ v4: [32 + (index >> 3), (index & 7) * 32], v6: 0x2000 + index * 32 });

function withOwnAddresses({ name, steps }, index) {
  const { v4, v6 } = blockOf(index);
  const fill = (text) =>
    text
      .replace(/\b10\.0\.0\.([1-9]\d*)\b/g, (_, number) => `10.0.${v4[0]}.${v4[1] + Number(number)}`)
      .replace(
        /\b(fd00:(?:0:0:)?:)([0-9a-f]+)\b/g,
        (_, start, number) => start + (v6 + Number.parseInt(number, 16)).toString(16),
      );
  const own = steps.map(({ body, ...step }) => ({
    ...step,
    ...(body === undefined ? {} : { body: JSON.parse(fill(JSON.stringify(body))) }),
    view: (answer) => comparable({ body: Buffer.from(withNumbers(answer.body.toString(), v4, v6)) }),
  }));
  return { name, steps: own };
}

/** Returns a text with numbers in place of the addresses of a sequence, and words in place of those that are drawn. */
function withNumbers(text, [third, start], v6) {
  return text
    .replace(/\b10\.0\.(\d+)\.(\d+)\b(?!\/)/g, (all, group, last) => {
      const number = Number(last) - start;
      return Number(group) === third && number > 0 && number < 32
        ? `V4-${number}`
        : all === "10.0.0.0"
          ? all
          : "DRAWN-V4";
    })
    .replace(/\bfd00:(?:0:0:)?:([0-9a-f]+)\b/g, (all, last) => {
      const number = Number.parseInt(last, 16) - v6;
      return number > 0 && number < 32 ? all.replace(last, `V6-${number}`) : "DRAWN-V6";
    });
}

const path = namespaced("default", "services");
const policies = [undefined, "SingleStack", "PreferDualStack", "RequireDualStack", "Other"];
const familyLists = [
  ...[undefined, [], ["IPv4"], ["IPv6"], ["IPv4", "IPv6"], ["IPv6", "IPv4"], ["IPv4", "IPv4"], ["IPv5"]],
  ["IPv4", "IPv6", "IPv4"],
];
const addressLists = [
  ...[undefined, ["None"], ["10.0.0.5"], ["fd00::5"], ["10.0.0.5", "fd00::5"], ["fd00::5", "10.0.0.5"]],
  ...[
    ["10.0.0.5", "10.0.0.6"],
    ["fd00::5", "fd00::6"],
    ["None", "fd00::5"],
    ["10.0.0.5", "None"],
  ],
  ...[["10.0.0.5", "fe00::5"], ["fd00::"], ["fd00:0:0::0005"], ["::ffff:10.0.0.5"], ["10.0.0.5", "x"], ["", "fd00::5"]],
  ["10.0.0.5", "fd00::5", "fd00::6"],
];

const shown = (value) => (value === undefined ? "none" : JSON.stringify(value));
const selected = { selector: { app: "a" } };
const ports = [{ name: "a", port: 80 }];

function spec(policy, families, addresses, more = selected) {
  return {
    ports,
    ...more,
    ...(policy === undefined ? {} : { ipFamilyPolicy: policy }),
    ...(families === undefined ? {} : { ipFamilies: families }),
    ...(addresses === undefined ? {} : { clusterIP: addresses[0], clusterIPs: addresses }),
  };
}

const create = (value) => post(path, { metadata: { name: "s" }, spec: value });
const forget = quiet(remove(`${path}/s`));

/** Every case, with the requests in their order. Whoever replays them sends those that are quiet, too. */
export function* sequences() {
  let index = 0;
  for (const sequence of written()) {
    yield withOwnAddresses(sequence, index++);
  }
}

function* written() {
  yield* creations();
  yield* unevenAddresses();
  yield* otherTypes();
  yield* conflicts();
  yield* updates();
}

function* creations() {
  for (const policy of policies) {
    for (const families of familyLists) {
      for (const addresses of addressLists) {
        const title = `${shown(policy)}, families ${shown(families)}, addresses ${shown(addresses)}`;
        yield { name: `create with ${title}`, steps: [create(spec(policy, families, addresses)), forget] };
      }
      const headless = spec(policy, families, ["None"], {});
      const title = `${shown(policy)}, families ${shown(families)}`;
      yield { name: `create headless without selector with ${title}`, steps: [create(headless), forget] };
    }
  }
}

/** `clusterIP` and `clusterIPs` that do not agree. */
function* unevenAddresses() {
  const pairs = [
    { clusterIP: "fd00::5" },
    { clusterIP: "10.0.0.5" },
    { clusterIPs: ["10.0.0.5", "fd00::5"] },
    { clusterIP: "fd00::5", clusterIPs: ["10.0.0.5", "fd00::5"] },
    { clusterIP: "None", clusterIPs: ["10.0.0.5"] },
    { clusterIP: "", clusterIPs: [] },
  ];
  for (const pair of pairs) {
    for (const policy of policies) {
      const name = `create with ${shown(policy)} and ${JSON.stringify(pair)}`;
      yield { name, steps: [create({ ...spec(policy), ...pair }), forget] };
    }
  }
}

const types = {
  NodePort: { type: "NodePort" },
  LoadBalancer: { type: "LoadBalancer", externalTrafficPolicy: "Local" },
  ExternalName: { type: "ExternalName", externalName: "a.example" },
};

function* otherTypes() {
  for (const [type, members] of Object.entries(types)) {
    for (const policy of policies) {
      for (const families of [undefined, ["IPv6"], ["IPv6", "IPv4"]]) {
        for (const addresses of [undefined, ["None"], ["fd00::5"]]) {
          const title = `${shown(policy)}, families ${shown(families)}, addresses ${shown(addresses)}`;
          const value = spec(policy, families, addresses, { ...selected, ...members });
          yield { name: `create ${type} with ${title}`, steps: [create(value), forget] };
          const dry = { ...create(value), path: `${path}?dryRun=All` };
          yield { name: `try ${type} with ${title}`, steps: [dry] };
        }
      }
    }
  }
}

/** Addresses that another Service has, and those that it has released. */
function* conflicts() {
  const holder = quiet(
    post(path, { metadata: { name: "holder" }, spec: spec("RequireDualStack", undefined, ["10.0.0.7", "fd00::7"]) }),
  );
  const release = quiet(remove(`${path}/holder`));
  const asked = [
    [["10.0.0.7"], undefined],
    [["fd00::7"], undefined],
    [["10.0.0.8", "fd00::7"], undefined],
    [["fd00::8", "10.0.0.7"], undefined],
    [["fd00::7"], ["IPv6", "IPv4"]],
  ];
  for (const [addresses, families] of asked) {
    const value = spec("PreferDualStack", families, addresses);
    const title = `${shown(addresses)}, families ${shown(families)}`;
    // What comes after a refusal of one of two addresses depends on the leak.
    const retry = addresses.length === 1 ? [create(value), forget] : [];
    yield { name: `addresses of another Service: ${title}`, steps: [holder, create(value), release, ...retry] };
  }
  const single = merged({ ipFamilyPolicy: "SingleStack" });
  yield {
    name: "a secondary address is free again after a downgrade",
    steps: [
      create(spec("RequireDualStack", undefined, ["10.0.0.9", "fd00::9"])),
      single,
      post(path, { metadata: { name: "t" }, spec: spec("RequireDualStack", undefined, ["10.0.0.10", "fd00::9"]) }),
      merged({ ipFamilyPolicy: "RequireDualStack", clusterIPs: ["10.0.0.9", "fd00::9"] }),
      quiet(remove(`${path}/t`)),
      merged({ ipFamilyPolicy: "RequireDualStack", clusterIPs: ["10.0.0.9", "fd00::9"] }),
      forget,
    ],
  };
  yield {
    name: "all addresses are free again after a change to an ExternalName",
    steps: [
      create(spec("RequireDualStack", undefined, ["10.0.0.11", "fd00::11"])),
      replace({ type: "ExternalName", externalName: "a.example" }),
      post(path, { metadata: { name: "t" }, spec: spec("RequireDualStack", undefined, ["fd00::11", "10.0.0.11"]) }),
      replace(spec("RequireDualStack", ["IPv6"])),
      quiet(remove(`${path}/t`)),
      forget,
    ],
  };
}

const replace = (value) => put(`${path}/s`, { metadata: { name: "s" }, spec: value });
const merged = (members) => merge(`${path}/s`, { spec: members });

const starts = {
  "single IPv4": spec("SingleStack", ["IPv4"], ["10.0.0.5"]),
  "single IPv6": spec("SingleStack", ["IPv6"], ["fd00::5"]),
  "preferred single": spec("PreferDualStack", undefined, ["10.0.0.5"]),
  "both, IPv4 first": spec("RequireDualStack", undefined, ["10.0.0.5", "fd00::5"]),
  "both, IPv6 first": spec("PreferDualStack", undefined, ["fd00::5", "10.0.0.5"]),
  "headless single": spec("SingleStack", ["IPv6"], ["None"]),
  "headless of both": spec("RequireDualStack", ["IPv6", "IPv4"], ["None"]),
  "headless without selector": spec(undefined, undefined, ["None"], {}),
  "node port of both": spec("RequireDualStack", undefined, ["10.0.0.5", "fd00::5"], { ...selected, type: "NodePort" }),
  name: { ...types.ExternalName, ports },
};

const changes = {
  "nothing but ports": spec(),
  ...Object.fromEntries(policies.slice(1).map((policy) => [`policy ${policy}`, spec(policy)])),
  ...Object.fromEntries(familyLists.slice(2, 6).map((families) => [`families ${families}`, spec(undefined, families)])),
  ...Object.fromEntries(
    addressLists.slice(1, 6).map((list) => [`addresses ${list}`, spec(undefined, undefined, list)]),
  ),
  "single IPv4": spec("SingleStack", ["IPv4"], ["10.0.0.5"]),
  "single IPv6": spec("SingleStack", ["IPv6"], ["fd00::5"]),
  "both, preferred": spec("PreferDualStack", ["IPv4", "IPv6"], ["10.0.0.5", "fd00::5"]),
  "both, reversed": spec("RequireDualStack", ["IPv6", "IPv4"], ["fd00::5", "10.0.0.5"]),
  "another secondary address": spec("RequireDualStack", ["IPv4", "IPv6"], ["10.0.0.5", "fd00::6"]),
  "single policy, both lists": spec("SingleStack", ["IPv4", "IPv6"], ["10.0.0.5", "fd00::5"]),
  "both families of one address": spec("RequireDualStack", ["IPv4", "IPv6"], ["10.0.0.5"]),
  "one family of both addresses": spec("RequireDualStack", ["IPv4"], ["10.0.0.5", "fd00::5"]),
  "a name": types.ExternalName,
  "a name with all members": {
    ...spec("RequireDualStack", ["IPv4", "IPv6"], ["10.0.0.5", "fd00::5"]),
    ...types.ExternalName,
  },
  "node port": { ...spec(), ...types.NodePort },
  "without selector": spec(undefined, undefined, undefined, {}),
};

const patches = [
  ...policies.slice(1).map((policy) => ({ ipFamilyPolicy: policy })),
  { ipFamilyPolicy: null },
  { ipFamilies: null },
  { clusterIPs: null },
  { clusterIP: null },
  { clusterIP: "", clusterIPs: null },
  { ipFamilies: ["IPv4"] },
  { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" },
  { ipFamilies: ["IPv4", "IPv6"] },
  { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" },
  { clusterIPs: ["10.0.0.5"] },
  { clusterIPs: ["10.0.0.5"], ipFamilyPolicy: "SingleStack" },
  { clusterIPs: ["10.0.0.5", "fd00::9"], ipFamilyPolicy: "RequireDualStack" },
  { clusterIP: "fd00::5" },
  { type: "ExternalName", externalName: "a.example", clusterIP: null, clusterIPs: null },
  { type: "NodePort", ipFamilyPolicy: "PreferDualStack" },
];

function* updates() {
  for (const [from, start] of Object.entries(starts)) {
    for (const [to, change] of Object.entries(changes)) {
      yield { name: `from ${from} to ${to}`, steps: [quiet(create(start)), replace(change), forget] };
    }
    for (const patch of patches) {
      const name = `from ${from} by ${JSON.stringify(patch)}`;
      yield { name, steps: [quiet(create(start)), merged(patch), forget] };
    }
  }
}
