/** The id behind a name: of what is there, or made for one chunk of rows. */
export interface FoundId {
  readonly id: string
  readonly isThere: boolean
}

/** The id behind each name, as a guard has it; made where there is none. */
export function foundIds(
  names: Iterable<string>,
  guardOf: (name: string) => Readonly<Record<string, unknown>> | undefined,
  make: () => string,
): ReadonlyMap<string, FoundId> {
  return new Map(
    [...new Set(names)].map((name): [string, FoundId] => {
      const id = guardOf(name)?.id
      return [name, typeof id === 'string' ? { id, isThere: true } : { id: make(), isThere: false }]
    }),
  )
}
