/** Groups values, or a part of each, by key: keys in the order in which they first appear. Node 20 has no Map.groupBy. */
export function grouped<T, K, V = T>(
  all: Iterable<T>,
  keyOf: (each: T) => K,
  // Without it, V is T.
  partOf: (each: T) => V = (each) => each as unknown as V,
): Map<K, V[]> {
  const groups = new Map<K, V[]>()
  for (const each of all) {
    const key = keyOf(each)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [partOf(each)])
    else group.push(partOf(each))
  }
  return groups
}
