type Present<T> = { readonly [N in keyof T]?: Exclude<T[N], undefined> }

/** The values that are there: an answer has no property for what an item lacks. */
export function withoutAbsent<T extends object>(values: T): Present<T> {
  // Only properties were left out.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>
}
