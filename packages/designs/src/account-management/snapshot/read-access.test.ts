import { describe, expect, test } from 'vitest'
import { idOf } from '../../../test/account-items.ts'
import { acme, camera, harbour, pier, reader } from '../../../test/account-organisation.ts'
import { readAccess } from './read-access.ts'

const whole = {
  format: 1,
  user_id: idOf('user', 1),
  issued_at: '2026-03-01T12:00:00.000Z',
  expires_at: '2026-03-01T12:00:05.000Z',
  place: { client_id: acme, project_id: harbour, building_id: pier },
  grants: [
    {
      permissions: [{ ...camera, resource: '*' }],
      scopes: [{ client_id: acme, project_id: harbour, building_id: pier }],
      evidence: {
        role_id: reader,
        role_owner: 'SYSTEM',
        roles: [{ role_id: reader, version: 3 }],
        assignments: [
          { scope_type: 'client', scope_id: acme, start_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-04-01T00:00:00.000Z' },
        ],
      },
    },
  ],
  reason: { kind: 'fault', code: 'MalformedItem', message: 'A stored record is malformed.' },
}
const text = JSON.stringify(whole)
const now_ms = () => Date.parse('2026-03-01T12:00:01.000Z')

/** Paths of every value in it. */
function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, part]) => pathsIn(part, [...path, name]))]
}

// Each step of a path is there: it was found by walking.
const valueAt = (path: readonly string[]) => path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], whole)
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The whole with another value at a path, or without what is there. */
function changed(path: readonly string[], ...value: readonly unknown[]): unknown {
  const [last = '', ...before] = [...path].reverse()
  if (path.length === 0) return value[0]
  const copy: unknown = JSON.parse(text)
  // Each step of the path is there: it was found by walking.
  const at = before
    .reverse()
    .reduce<Record<string, unknown>>((part, name) => part[name] as Record<string, unknown>, copy as Record<string, unknown>)
  if (value.length === 0) delete at[last]
  else at[last] = value[0]
  return copy
}

describe('readAccess', () => {
  test('reads what a snapshot shows of itself', () => {
    const snapshot = readAccess(JSON.parse(text), { now_ms })
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(whole)
    expect(snapshot).toMatchObject({ user_id: whole.user_id, expires_at: whole.expires_at, grants: whole.grants, reason: whole.reason })
    expect(snapshot.can({ ...camera, resource: 'door' })).toBe(true)
    expect(readAccess(JSON.parse(text)).can({ ...camera, resource: 'door' })).toBe(false)
  })

  test('reads one without what may be absent', () => {
    const { user_id: _u, place: _p, reason: _r, ...others } = whole
    const bare = { ...others, grants: [{ permissions: [], scopes: [{ client_id: acme }] }] }
    expect(readAccess(bare, { now_ms }).toJSON()).toEqual(bare)
  })

  const paths = pathsIn(whole)
  const wrong: readonly unknown[] = [null, 7, true, '', 'x', [], [7], {}, { toString: 'x' }, acme.toUpperCase()]

  test.each(paths.map((path) => [path.join('.') || 'the top', path] as const))('refuses nonsense at %s, and says where', (_, path) => {
    for (const value of wrong) {
      if (path.at(-1) === 'version' && value === 7) continue
      const isList = Array.isArray(valueAt(path))
      const isText = ['module', 'action', 'resource', 'role_owner', 'code', 'message'].includes(path.at(-1) ?? '')
      if ((isList && Array.isArray(value) && value.length === 0) || (isText && typeof value === 'string' && value !== '')) continue
      expect(() => readAccess(changed(path, value), { now_ms })).toThrow(TypeError)
      expect(() => readAccess(changed(path, value), { now_ms })).toThrow(path.at(-1) ?? 'it ')
    }
  })

  test('refuses what is missing, and what should not be there', () => {
    const optional = new Set(['user_id', 'place', 'project_id', 'building_id', 'evidence', 'roles', 'start_at', 'expires_at', 'reason'])
    for (const path of paths.filter((each) => each.length > 0 && !/^\d+$/.test(each.at(-1) ?? ''))) {
      const isOptional = optional.has(path.at(-1) ?? '') && path.join('.') !== 'expires_at'
      const read = () => readAccess(changed(path), { now_ms })
      // A building without its project has no path.
      if (isOptional && path.at(-1) !== 'project_id') expect(read).not.toThrow()
      else expect(read).toThrow(TypeError)
    }
    for (const path of paths.filter((each) => isObject(valueAt(each))))
      expect(() => readAccess(changed([...path, 'extra'], 1), { now_ms })).toThrow('"extra"')
    expect(() => readAccess(JSON.parse(text.replace('{', '{"__proto__":{},')), { now_ms })).toThrow('"__proto__"')
  })

  test.each([
    ['another format', { format: 2 }],
    ['a time that is not in UTC', { expires_at: '2026-03-01T12:00:05.000+01:00' }],
    ['a day that there is not', { expires_at: '2026-13-01T12:00:05.000Z' }],
    ['fields that are inherited', { place: Object.create({ client_id: acme }) }],
  ])('refuses %s', (_, change) => {
    expect(() => readAccess({ ...whole, ...change }, { now_ms })).toThrow(TypeError)
  })

  test.each([undefined, null, text, 7, [], [whole]])('refuses %j', (json) => {
    expect(() => readAccess(json)).toThrow(TypeError)
  })
})
