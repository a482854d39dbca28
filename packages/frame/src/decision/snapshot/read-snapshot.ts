import { accessFormat, type SnapshotData } from './snapshot-data.ts'

// The readers of snapshots that a service sent as JSON.

/** Reads a value, or throws a `TypeError` that names its path. */
export type Reader<T = unknown> = (path: string, value: unknown) => T
export type Readers = Readonly<Record<string, Reader>>
/** The object of such fields: a name that ends in `?` is of a field that may be absent. */
export type Read<R extends Readers> = { readonly [N in keyof R as N extends `${string}?` ? never : N]: ReturnType<R[N]> } & {
  readonly [N in keyof R as N extends `${infer Name}?` ? Name : never]?: ReturnType<R[N]>
}

/** Throws what is wrong with a part of a snapshot. */
export function refuse(path: string, problem: string): never {
  throw new TypeError(`This is no snapshot of access: ${path} ${problem}.`)
}

/** Reads an object with these fields and no others. */
export function fields<R extends Readers>(readers: R): Reader<Read<R>> {
  const all = Object.entries(readers).map(([name, read]) => ({ name: name.replace('?', ''), isOptional: name.endsWith('?'), read }))
  return (path, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, 'is not an object')
    const foreign = Object.keys(value).find((each) => !all.some(({ name }) => name === each))
    if (foreign !== undefined) refuse(path, `has a field that it should not have, ${JSON.stringify(foreign)}`)
    // Inherited fields are not read.
    const own = new Map<string, unknown>(Object.entries(value))
    const missing = all.find(({ name, isOptional }) => !isOptional && !own.has(name))
    if (missing !== undefined) refuse(path, `has no ${missing.name}`)
    const present = all.filter(({ name, isOptional }) => !isOptional || own.get(name) !== undefined)
    // Each field was read by the reader that its type is made of.
    return Object.fromEntries(present.map(({ name, read }) => [name, read(`${path}.${name}`, own.get(name))])) as Read<R>
  }
}

/** Reads a list. */
export const listOf =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (path, value) =>
    Array.isArray(value) ? value.map((each: unknown, index) => read(`${path}.${index}`, each)) : refuse(path, 'is not a list')

/** Reads one of these words. */
export const oneOf =
  <const T extends string>(...values: readonly T[]): Reader<T> =>
  (path, value) =>
    values.find((one) => one === value) ?? refuse(path, `is none of ${values.join(', ')}`)

/** Reads a text. */
export const text: Reader<string> = (path, value) => (typeof value === 'string' && value !== '' ? value : refuse(path, 'is no text'))

/** Reads a whole number. */
export const count: Reader<number> = (path, value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : refuse(path, 'is no count')

/** Reads true or false. */
export const flag: Reader<boolean> = (path, value) => (typeof value === 'boolean' ? value : refuse(path, 'is neither true nor false'))

const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
/** Reads an instant. */
export const instant: Reader<string> = (path, value) => {
  const isInstant = typeof value === 'string' && instantForm.test(value) && !Number.isNaN(Date.parse(value))
  return isInstant ? value : refuse(path, 'is not an instant in UTC')
}

const format: Reader<typeof accessFormat> = (_, value) =>
  value === accessFormat ? accessFormat : refuse('it', `is of another format than ${accessFormat}`)

const common = {
  format,
  issued_at: instant,
  expires_at: instant,
  'reason?': fields({ kind: oneOf('policy', 'unknown', 'fault'), code: text, message: text }),
} satisfies Readers

/**
 * Makes the reader of the snapshots that a service sent as JSON, for showing and hiding what a user may do. They prove nothing: their holder can write
 * another, so a service asks `can` and takes none back. It throws a `TypeError` for anything that is no snapshot of this format. It takes JSON as
 * `JSON.parse` or `fetch` gave it, and `now_ms`: milliseconds since the epoch by the service's clock, within which the snapshot holds; `Date.now` unless
 * given.
 */
export function accessReader<D, S>(
  read: Reader<D>,
  make: (data: D, now_ms: () => number) => S,
): (json: unknown, clock?: { readonly now_ms?: () => number }) => S {
  return (json, { now_ms = Date.now } = {}) => make(read('it', json), now_ms)
}

/** Reads the data of a snapshot, which has these fields beside those that all have. */
export function snapshotFields<R extends Readers & { readonly grants: Reader<SnapshotData['grants']> }>(
  own: R,
): Reader<Read<typeof common & R>> {
  return fields({ ...common, ...own })
}
