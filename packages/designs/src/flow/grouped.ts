/** Values by key, in the order in which each key came first. */
export function grouped<K, V>(entries: Iterable<readonly [key: K, value: V]>): ReadonlyMap<K, readonly V[]> {
  const groups = new Map<K, V[]>()
  for (const [key, value] of entries) {
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [value])
    else known.push(value)
  }
  return groups
}
