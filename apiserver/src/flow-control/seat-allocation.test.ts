import assert from "node:assert/strict";
import { test } from "node:test";
import { allocateSeats, type SeatClaim } from "./seat-allocation.js";

const claim = (lowerBound: number, target: number, upperBound: number): SeatClaim => ({
  lowerBound,
  target,
  upperBound,
});

test("the default levels get the seats that v1.29 gives them with the same demand", () => {
  const claims = [
    claim(13, 13, 613),
    claim(0, 7.019779797256495, 600),
    claim(24, 24, 649),
    claim(25, 25, 625),
    claim(73, 73, 698),
    claim(50, 50, 674),
    claim(49, 49, 698),
    claim(24, 24, 845),
  ];
  const { seats, fairFraction } = allocateSeats(602, claims);
  assert.deepEqual(seats.map(Math.round), [30, 16, 55, 57, 166, 114, 111, 55]);
  assert.ok(Math.abs(fairFraction - 2.271528564624639) < 1e-9);
});

const cases: readonly (readonly [
  name: string,
  total: number,
  claims: readonly SeatClaim[],
  seats: readonly number[],
])[] = [
  ["nothing to divide", 0, [claim(0, 1, 5)], [0]],
  ["no more than the lower bounds", 30, [claim(10, 20, 100), claim(20, 20, 100)], [10, 20]],
  ["as much as the upper bounds", 30, [claim(0, 5, 10), claim(0, 5, 20)], [10, 20]],
  ["an upper bound that leaves the rest to the others", 100, [claim(0, 50, 10), claim(0, 50, 200)], [10, 90]],
  ["a lower bound that takes from the others", 100, [claim(60, 60, 100), claim(0, 140, 200)], [60, 40]],
  ["equal claims of levels that want nothing", 10, [claim(0, 0, 10), claim(0, 0, 10)], [5, 5]],
];

for (const [name, total, claims, expected] of cases) {
  test(`seats are divided within bounds: ${name}`, () => {
    assert.deepEqual(
      allocateSeats(total, claims).seats.map((seats) => Math.round(seats * 1e6) / 1e6),
      expected,
    );
  });
}

test("bounds that no division satisfies are refused", () => {
  assert.throws(() => allocateSeats(10, [claim(20, 20, 30)]), RangeError);
  assert.throws(() => allocateSeats(10, [claim(0, 1, 5)]), RangeError);
});
