/** The number of single-character edits between two texts. Swapping neighbours counts as one. */
export function editDistance(from: string, to: string): number {
  const a = [...from]
  const b = [...to]
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = next
  }
  return last[b.length] ?? a.length
}

/** A longer name cannot be a misspelling of one of ours. */
const length_max = 100

/** The candidate that was probably meant: at most a third of its characters differ, ignoring case. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > length_max) return undefined
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= Math.max(1, candidate.length / 3) && (best === undefined || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate
}
