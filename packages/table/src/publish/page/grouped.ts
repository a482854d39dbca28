/** The values of each key, keys in the order in which they first appear. Node 20 has no Map.groupBy. */
export function grouped<V>(values: Iterable<V>, keyOf: (value: V) => string): Map<string, V[]> {
  const groups = new Map<string, V[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}
