/** A step that turns one list into another: an item stays, is changed, is removed or is inserted. */
export type Edit = "same" | "changed" | "removed" | "inserted";

/** The degree of likeness of two items. */
export type Likeness = "same" | "similar" | "different";

interface Point {
  x: number;
  y: number;
}

/**
 * Returns the steps from one list to another, found greedily from both ends as go-cmp does: not the fewest, but in
 * linear time.
 */
export function editScript(
  lengthX: number,
  lengthY: number,
  compare: (x: number, y: number) => Likeness,
): readonly Edit[] {
  const forward = new Path(1, { x: 0, y: 0 }, compare);
  const reverse = new Path(-1, { x: lengthX, y: lengthY }, compare);
  const front = { ...forward.at };
  const back = { ...reverse.at };
  // The budget of the search: each pair that does not match costs one.
  const budget = { left: 4 * (lengthX + lengthY) };
  const isDone = (): boolean => front.x >= back.x || front.y >= back.y || budget.left === 0;
  while (!isDone()) {
    searchForward(forward, reverse, front, compare, budget);
    if (isDone()) {
      break;
    }
    searchBackward(forward, reverse, back, compare, budget);
  }
  forward.connect(reverse.at);
  return [...forward.edits, ...reverse.edits.toReversed()];
}

type Compare = (x: number, y: number) => Likeness;

function searchForward(forward: Path, reverse: Path, front: Point, compare: Compare, budget: { left: number }): void {
  let isRight = false;
  let isLeft = false;
  for (let step = 0; !(isRight && isLeft) && budget.left > 0; step++) {
    const z = zigzag(step);
    const point = { x: front.x + z, y: front.y - z };
    if (point.x >= reverse.at.x || point.y < forward.at.y) {
      isRight = true;
    } else if (point.y >= reverse.at.y || point.x < forward.at.x) {
      isLeft = true;
    } else if (compare(point.x, point.y) === "same") {
      forward.connect(point);
      forward.append("same");
      while (
        forward.at.x < reverse.at.x &&
        forward.at.y < reverse.at.y &&
        compare(forward.at.x, forward.at.y) === "same"
      ) {
        forward.append("same");
      }
      Object.assign(front, forward.at);
      break;
    } else {
      budget.left--;
    }
  }
  if (reverse.at.x - front.x >= reverse.at.y - front.y) {
    front.x++;
  } else {
    front.y++;
  }
}

function searchBackward(forward: Path, reverse: Path, back: Point, compare: Compare, budget: { left: number }): void {
  let isLeft = false;
  let isRight = false;
  for (let step = 0; !(isLeft && isRight) && budget.left > 0; step++) {
    const z = zigzag(step);
    const point = { x: back.x - z, y: back.y + z };
    if (forward.at.x >= point.x || reverse.at.y < point.y) {
      isLeft = true;
    } else if (forward.at.y >= point.y || reverse.at.x < point.x) {
      isRight = true;
    } else if (compare(point.x - 1, point.y - 1) === "same") {
      reverse.connect(point);
      reverse.append("same");
      while (
        forward.at.x < reverse.at.x &&
        forward.at.y < reverse.at.y &&
        compare(reverse.at.x - 1, reverse.at.y - 1) === "same"
      ) {
        reverse.append("same");
      }
      Object.assign(back, reverse.at);
      break;
    } else {
      budget.left--;
    }
  }
  if (back.x - forward.at.x >= back.y - forward.at.y) {
    back.x--;
  } else {
    back.y--;
  }
}

/** A path through the grid of pairs, from the start or, backwards, from the end. */
class Path {
  readonly at: Point;
  readonly edits: Edit[] = [];
  readonly #direction: 1 | -1;
  readonly #compare: Compare;

  constructor(direction: 1 | -1, at: Point, compare: Compare) {
    this.#direction = direction;
    this.at = at;
    this.#compare = compare;
  }

  append(edit: Edit): void {
    this.edits.push(edit);
    this.at.x += edit === "inserted" ? 0 : this.#direction;
    this.at.y += edit === "removed" ? 0 : this.#direction;
  }

  /** Extends the path to a point, with the edits that the items between allow. */
  connect(to: Point): void {
    const offset = this.#direction === 1 ? 0 : -1;
    const left = (): Point => ({
      x: (to.x - this.at.x) * this.#direction,
      y: (to.y - this.at.y) * this.#direction,
    });
    for (let rest = left(); rest.x > 0 && rest.y > 0; rest = left()) {
      const likeness = this.#compare(this.at.x + offset, this.at.y + offset);
      if (likeness !== "different") {
        this.append(likeness === "same" ? "same" : "changed");
      } else if (this.#direction === 1 ? rest.x >= rest.y : rest.x > rest.y) {
        this.append("removed");
      } else {
        this.append("inserted");
      }
    }
    for (let rest = left(); rest.x > 0; rest = left()) {
      this.append("removed");
    }
    for (let rest = left(); rest.y > 0; rest = left()) {
      this.append("inserted");
    }
  }
}

/** Returns 0, -1, 1, -2, 2, ... for the steps 0, 1, 2, 3, 4, ... */
function zigzag(step: number): number {
  return step % 2 === 1 ? -(step + 1) / 2 : step / 2;
}
