type Present<T> = { readonly [N in keyof T]?: Exclude<T[N], undefined> }

/** The values that are there: an answer has no property for what an item lacks. */
export function withoutAbsent<T extends object>(values: T): Present<T> {
  const present: { [N in keyof T]?: T[N] } = {}
  for (const name in values) if (values[name] !== undefined) present[name] = values[name]
  // Only properties were left out.
  return present as Present<T>
}
