import { type AccessData, accessFormat } from './access-data.ts'
import { type AccessSnapshot, accessSnapshot } from './access-snapshot.ts'

/** Reads a value, or throws a `TypeError` that names its path. */
type Reader<T = unknown> = (path: string, value: unknown) => T
type Readers = Readonly<Record<string, Reader>>
/** The object of such fields: a name that ends in `?` is of a field that may be absent. */
type Read<R extends Readers> = { readonly [N in keyof R as N extends `${string}?` ? never : N]: ReturnType<R[N]> } & {
  readonly [N in keyof R as N extends `${infer Name}?` ? Name : never]?: ReturnType<R[N]>
}

function refuse(path: string, problem: string): never {
  throw new TypeError(`This is no snapshot of access: ${path} ${problem}.`)
}

/** Reads an object with these fields and no others. */
function fields<R extends Readers>(readers: R): Reader<Read<R>> {
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

const listOf =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (path, value) =>
    Array.isArray(value) ? value.map((each: unknown, index) => read(`${path}.${index}`, each)) : refuse(path, 'is not a list')

const oneOf =
  <const T extends string>(...values: readonly T[]): Reader<T> =>
  (path, value) =>
    values.find((one) => one === value) ?? refuse(path, `is none of ${values.join(', ')}`)

const text: Reader<string> = (path, value) => (typeof value === 'string' && value !== '' ? value : refuse(path, 'is no text'))

const count: Reader<number> = (path, value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : refuse(path, 'is no count')

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const id: Reader<string> = (path, value) =>
  typeof value === 'string' && uuidForm.test(value) ? value : refuse(path, 'is not a UUID in lower case')

const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const instant: Reader<string> = (path, value) => {
  const isInstant = typeof value === 'string' && instantForm.test(value) && !Number.isNaN(Date.parse(value))
  return isInstant ? value : refuse(path, 'is not an instant in UTC')
}

const format: Reader<typeof accessFormat> = (_, value) =>
  value === accessFormat ? accessFormat : refuse('it', `is of another format than ${accessFormat}`)

const scopeFields = fields({ client_id: id, 'project_id?': id, 'building_id?': id })
const scope: typeof scopeFields = (path, value) => {
  const read = scopeFields(path, value)
  return read.building_id !== undefined && read.project_id === undefined ? refuse(path, 'has a building without its project') : read
}

const evidence = fields({
  role_id: id,
  role_owner: text,
  'roles?': listOf(fields({ role_id: id, version: count })),
  assignments: listOf(
    fields({ scope_type: oneOf('client', 'project', 'building'), scope_id: id, 'start_at?': instant, 'expires_at?': instant }),
  ),
})

const grant = fields({
  permissions: listOf(fields({ module: text, action: text, resource: text })),
  scopes: listOf(scope),
  'evidence?': evidence,
})

const data: Reader<AccessData> = fields({
  format,
  'user_id?': id,
  issued_at: instant,
  expires_at: instant,
  'place?': scope,
  grants: listOf(grant),
  'reason?': fields({ kind: oneOf('policy', 'unknown', 'fault'), code: text, message: text }),
})

/**
 * The snapshot that a service sent as JSON, for showing and hiding what a user may do. It proves nothing: its holder can write another,
 * so a service asks `can` and takes none back.
 * @param json as `JSON.parse` or `fetch` gave it
 * @param clock `now_ms`: milliseconds since the epoch by the service's clock, within which the snapshot holds; `Date.now` unless given
 * @throws TypeError for anything that is no snapshot of this format
 */
export function readAccess(json: unknown, { now_ms = Date.now }: { readonly now_ms?: () => number } = {}): AccessSnapshot {
  return accessSnapshot(data('it', json), now_ms)
}
