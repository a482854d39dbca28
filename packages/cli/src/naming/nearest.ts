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

/** More would be a list, which a command gives. */
const nearest_max = 3

/** The candidates that were probably meant, the nearest first: at most a third of their characters differ, ignoring case, and hardly more than in the nearest. */
export function nearest(name: string, candidates: Iterable<string>): readonly string[] {
  if (name.length > length_max) return []
  const near = [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, candidate.length / 3))
    .sort((one, other) => one.distance - other.distance)
  const [best] = near
  return near
    .filter(({ distance }) => distance <= (best?.distance ?? 0) + 1)
    .slice(0, nearest_max)
    .map(({ candidate }) => candidate)
}

/** What a person who gave an unknown name may have meant, and where to see all names. */
export function hintOf(name: string, candidates: Iterable<string>, lists: string, shown = (candidate: string) => candidate): string {
  const near = nearest(name, candidates).map(shown)
  const all = `\`${lists}\` lists all.`
  return near.length === 0 ? all : `Did you mean ${near.join(' or ')}? ${all}`
}
