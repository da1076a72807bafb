/** The name most like `name`, if one is so near that it was probably meant: for a "did you mean" sentence. */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  // Beyond a third of the letters a guess misleads more than it helps.
  const limit = Math.max(1, Math.floor(Math.min(name.length, 64) / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) < bestDistance) {
      const distance = editDistance(name, candidate);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
  }
  return best;
}

/** Letters to insert, drop, replace or swap with their neighbour (optimal string alignment), with three rows. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, (beforePrevious[j - 2] ?? 0) + 1);
      }
      row.push(distance);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
