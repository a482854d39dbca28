/**
 * Remembers which id a name stood for the last time, so that what hangs on the id can be read side by side with the name itself. It is a
 * guess, which the read of the name confirms or refutes: nothing is decided by it.
 */
export interface NameMemory {
  get(name: string): string | undefined
  set(name: string, id: string): void
}

const namesMax = 10_000

/** Forgets the least recently used names. */
export function nameMemory(names_max = namesMax): NameMemory {
  const ids = new Map<string, string>()
  const touch = (name: string, id: string) => {
    ids.delete(name)
    ids.set(name, id)
  }
  return {
    get: (name) => {
      const id = ids.get(name)
      if (id !== undefined) touch(name, id)
      return id
    },
    set: (name, id) => {
      touch(name, id)
      const [oldest] = ids.keys()
      if (ids.size > names_max && oldest !== undefined) ids.delete(oldest)
    },
  }
}
