import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../test/own-table.ts'
import * as as from '../../test/platform-items.ts'
import { adaOfAcme } from '../../test/platform-organisation.ts'
import { decidePlatform } from './decide.ts'
import { platform } from './design.ts'
import { readAccess } from './snapshot/access.ts'

const now_ms = Date.parse('2026-03-01T12:00:00.000Z')
const edit = { menu: 'dashboard', action: 'edit' } as const

/** A decider whose clock the test sets, over the sample and what is added. */
async function prepared(...more: Parameters<typeof restoreItems>[1][number][]) {
  const clock = { ms: now_ms }
  const table = await ownTableOf(platform, { now: () => new Date(clock.ms) })
  await restoreItems(table.runtime, [...new Map([...adaOfAcme, ...more].map((item) => [`${item.PK} ${item.SK}`, item])).values()])
  return { clock, decider: decidePlatform(table.runtime) }
}

describe('a snapshot', () => {
  test('of everything has the account and its workstreams; one of a place has that place', async () => {
    const { decider } = await prepared(as.workstream('acme', 'sales'))
    const grants = [{ menuKey: 'dashboard', canView: true, canCreate: false, canEdit: true, canDelete: false }]
    const all = await decider.access({ user: 'ada@example.org' })
    expect(all).toMatchObject({ userId: 'ada', places: [{ accountId: 'acme' }, { accountId: 'acme', workstreamId: 'research' }], grants })
    const [acme, research, sales] = [
      { account: 'acme' },
      { account: 'acme', workstream: 'research' },
      { account: 'acme', workstream: 'sales' },
    ]
    expect([undefined, acme, research, sales, { account: 'rival' }].map((place) => all.can(edit, place))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    const one = await decider.access({ user: 'ada', ...research })
    expect(one.places).toEqual([{ accountId: 'acme', workstreamId: 'research' }])
    expect([undefined, research, acme].map((place) => one.can(edit, place))).toEqual([true, true, false])
  })

  test('holds for as long as it is asked to, and no longer than the last day of the user', async () => {
    const { clock, decider } = await prepared(...as.user('acme', 'ada', 'ada@example.org', 'active', '2026-03-01'))
    const snapshot = await decider.access({ user: 'ada' }, { lasts_ms: 86_400_000 })
    expect(snapshot).toMatchObject({ issued_at: '2026-03-01T12:00:00.000Z', expires_at: '2026-03-02T00:00:00.000Z' })
    clock.ms = Date.parse('2026-03-01T23:59:59.999Z')
    expect(snapshot.can(edit)).toBe(true)
    clock.ms += 1
    expect(snapshot.can(edit)).toBe(false)
    clock.ms = now_ms - 1
    expect(snapshot.can(edit)).toBe(false)
    clock.ms = now_ms
    expect((await decider.access({ user: 'ada' })).expires_at).toBe('2026-03-01T12:00:05.000Z')
  })

  test('tells with evidence by which groups and roles each menu is held, and otherwise names none', async () => {
    const { decider } = await prepared(
      as.role('auditor'),
      ...as.permission('auditor', 'dashboard', { canDelete: true }),
      ...as.groupRole('staff', 'auditor', 'acme'),
    )
    const [grant] = (await decider.access({ user: 'ada' }, { evidence: true })).grants
    const none = { canView: false, canCreate: false, canEdit: false, canDelete: false }
    expect(grant).toMatchObject({ canView: true, canCreate: false, canEdit: true, canDelete: true })
    expect(grant?.evidence).toEqual([
      { groupId: 'staff', roleId: 'auditor', ...none, canDelete: true },
      { groupId: 'staff', roleId: 'editor', ...none, canView: true, canEdit: true },
    ])
    expect(JSON.stringify(await decider.access({ user: 'ada' }))).not.toMatch(/staff|editor/)
  })

  test('of a user who is denied has its reason, and denies', async () => {
    const { decider } = await prepared(...as.user('acme', 'bob', 'bob@example.org', 'inactive'), as.role('empty', 'acme'))
    const denied = async (question: { user: string; account?: string; workstream?: string }) => {
      const snapshot = await decider.access(question)
      expect(snapshot.places).toEqual([])
      return [snapshot.reason?.code, snapshot.grants, snapshot.can(edit)]
    }
    expect(await denied({ user: 'bob' })).toEqual(['UserInactive', [], false])
    expect(await denied({ user: 'bob', account: 'acme' })).toEqual(['UserInactive', [], false])
    expect(await denied({ user: 'nobody@example.org' })).toEqual(['UnknownUser', [], false])
    expect(await denied({ user: 'ada', account: 'acme', workstream: 'none' })).toEqual(['UnknownWorkstream', [], false])
  })

  test('says that a malformed record was left out, and holds the rest', async () => {
    const { decider } = await prepared({ ...as.workstream('acme', 'sales'), name: 7 }, ...as.inWorkstream('acme', 'ada', 'sales'))
    const snapshot = await decider.access({ user: 'ada' })
    expect(snapshot).toMatchObject({ grants: [{}], reason: { kind: 'fault', code: 'MalformedItem' } })
    expect(snapshot.can(edit)).toBe(true)
  })

  test.each([
    [{ user: 'ada', workstream: 'research' }, 'account'],
    [{ user: 'ada', menu: 'dashboard' }, 'menu'],
    [{ account: 'acme' }, 'user'],
  ])('is not taken for %j', async (question, field) => {
    const { decider } = await prepared()
    const issues = [expect.objectContaining({ path: [field] })]
    await expect(decider.access(question as { user: string })).rejects.toMatchObject({ code: 'InvalidInput', details: { issues } })
  })
})

describe('a snapshot that a browser reads', () => {
  const taken = async () => {
    const { decider } = await prepared()
    const json: Record<string, unknown> = JSON.parse(JSON.stringify(await decider.access({ user: 'ada' }, { evidence: true })))
    return json
  }
  const clock = { now_ms: () => now_ms }

  test('answers as the one that was sent', async () => {
    const read = readAccess(await taken(), clock)
    expect([read.can(edit), read.can({ ...edit, action: 'delete' }), read.can(edit, { account: 'acme', workstream: 'research' })]).toEqual([
      true,
      false,
      true,
    ])
    expect(JSON.parse(JSON.stringify(read))).toEqual(await taken())
  })

  test.each([
    [{ ...edit, action: 'toString' }, undefined],
    [{ ...edit, action: 'canEdit' }, undefined],
    [{ ...edit, menu: '__proto__' }, undefined],
    [{ menu: ['dashboard'], action: 'edit' }, undefined],
    [null, undefined],
    ['dashboard', undefined],
    [edit, null],
    [edit, 'acme'],
    [edit, {}],
    [edit, { account: 'acme', workstream: null }],
    [edit, { account: ['acme'] }],
  ])('denies %j at %j', async (permission, place) => {
    // As a program without types would ask.
    expect(readAccess(await taken(), clock).can(permission as never, place as never)).toBe(false)
  })

  test.each([
    ['format', 2],
    ['issued_at', 'now'],
    ['expires_at', undefined],
    ['places', {}],
    ['places', [{ accountId: '' }]],
    ['grants', [{ menuKey: 'dashboard', canView: true }]],
    ['grants', [{ menuKey: 'dashboard', canView: 1, canCreate: true, canEdit: true, canDelete: true }]],
    ['reason', 'none'],
    ['more', true],
  ])('is none with %s %j', async (name, value) => {
    const json = await taken()
    expect(() => readAccess({ ...json, [name]: value }, clock)).toThrow(TypeError)
  })
})
