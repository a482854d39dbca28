/** Open resources, which are closed once, in the reverse order of opening. */
export interface Closing {
  add(close: () => Promise<void> | void): void
  /** Resolves for each caller when all are closed: the end of a process may be asked for twice. */
  all(): Promise<void>
}

export function closing(): Closing {
  const closers: (() => Promise<void> | void)[] = []
  let closed = Promise.resolve()
  const closeAll = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
  }
  return {
    add: (close) => closers.push(close),
    all: () => {
      closed = closed.catch(() => {}).then(closeAll)
      return closed
    },
  }
}
