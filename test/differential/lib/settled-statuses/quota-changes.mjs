// Drawn changes of quotas and of what they count, each with the time in which controllers take it in, and views of the usage.
import { pauses, send } from "../life-cycles/steps.mjs";
import { view } from "../life-cycles/view.mjs";
import { drawCounted } from "./counted-objects.mjs";
import { drawHard } from "./quota-worlds.mjs";

/** Seconds in which both servers take a change in. */
const settlingSeconds = 3;

/** Draws a change of a world, its number is `at`. */
export function drawChange(r, world, at) {
  const [isCounted, steps] = draw(r, world, `y${at}`);
  return [...steps, ...pauses(settlingSeconds), ...(isCounted ? [] : recount(r, world))];
}

/**
 * Draws a change: whether v1.29 counts again at once where less is used, and the steps. Otherwise it does so within five
 * minutes.
 */
function draw(r, { namespace, collection, quotas, objects }, name) {
  return r.weighted(
    [
      [
        4,
        () => {
          const [isCounted, change] = r.pick(r.pick(objects).changes);
          return [isCounted, change(r)];
        },
      ],
      [3, () => [true, drawCounted(r, namespace, name).make]],
      [
        1,
        () => [
          true,
          [
            send(
              "PATCH",
              `${collection}/${r.pick(quotas)}`,
              [{ op: "replace", path: "/spec/hard", value: drawHard(r, r.chance(0.5)) }],
              "operations",
            ),
          ],
        ],
      ],
      [0.4, () => [true, [send("DELETE", `${collection}/${r.pick(quotas)}`)]]],
      [
        0.4,
        () => [
          false,
          [send("PATCH", `${collection}/${r.pick(quotas)}/status`, { status: r.pick(wrongStatuses) }, "merge")],
        ],
      ],
    ],
    ([weight]) => weight,
  )[1]();
}

const wrongStatuses = [
  { used: { pods: "50" } },
  { used: { pods: null, cpu: null, secrets: null } },
  { used: null },
  { hard: { pods: "1" }, used: { pods: "1" } },
];

/** Has both servers count again: they do so at once where the limits of a quota change. */
export const recount = (r, { collection, quotas }) => [
  ...quotas.map((name) => ({
    ...send("PATCH", `${collection}/${name}`, { spec: { hard: { pods: `${100 + r.int(1e6)}` } } }, "merge"),
    quiet: true,
  })),
  ...pauses(settlingSeconds),
];

/** Reads the quotas of a world. */
export const usage = ({ collection }, label) => [
  { ...send("GET", collection), label: `${label}: usage`, view: usageView },
];

const usageView = (answer) =>
  Object.fromEntries((view(answer).items ?? []).map(({ metadata, spec, status }) => [metadata.name, { spec, status }]));

/** Makes the refusals by any one of several quotas equal: v1.29 asks these in any order. */
export function anyRefusal({ quotas }, steps) {
  const isOne = quotas.length === 1;
  return isOne ? steps : steps.map((step) => (step.view === view ? { ...step, view: anyQuotaView } : step));
}

function anyQuotaView(answer) {
  const { message, ...rest } = view(answer);
  return { ...rest, message: message?.replace(/((?:exceeded|failed) quota: ).*/, "$1ANY") };
}
