/** Open resources, which are closed once, in the reverse order of opening. */
export interface Closing {
  add(close: () => Promise<void> | void): void
  all(): Promise<void>
}

export function closing(): Closing {
  const closers: (() => Promise<void> | void)[] = []
  return {
    add: (close) => closers.push(close),
    all: async () => {
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
    },
  }
}
