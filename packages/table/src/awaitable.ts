/** A value, or the promise of one: a promise takes longer than most work with a value that is there. */
export type Awaitable<T> = T | Promise<T>

/** Goes on with a value: at once, if it is there. */
export function whenThere<T, R>(value: Awaitable<T>, work: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(work) : work(value)
}
