import { connect } from '@freehold/table'
import { expect, test } from 'vitest'
import { access } from './access.ts'
import { library } from './design.ts'
import { decideLibrary } from './old-decide.ts'

const id = (l: string) => `${l.repeat(8)}-0000-4000-8000-000000000001`
const at = '2026-01-01T00:00:00.000Z'
const item = (Type: string, PK: string, SK: string, more: object) => ({ PK, SK, Type, version: 1, created_at: at, updated_at: at, ...more })
const all = [
  item('Branch', `BRANCH#${id('b')}`, 'METADATA', { id: id('b'), name: 'x' }),
  item('Member', `MEMBER#${id('a')}`, 'METADATA', { id: id('a'), name: 'x', email: 'a@x.org', status: 'active' }),
  item('Post', `MEMBER#${id('a')}`, `POST#${id('b')}`, { member_id: id('a'), branch_id: id('b'), role: 'clerk' }),
]
const av = (v: unknown) => (typeof v === 'number' ? { N: String(v) } : { S: String(v) })
const items = all.map((each) => Object.fromEntries(Object.entries(each).map(([n, v]) => [n, av(v)])))
const sender = { send: async () => ({ Responses: { library: items }, UnprocessedKeys: {} }), close: () => {} }
test('hot', async () => {
  const table = connect(library, { sender: sender as never })
  const question = { member: id('a'), branch: id('b'), action: 'lend' } as const
  const [o, n] = [decideLibrary(table.runtime), access.decider(table.runtime)]
  expect(await o.can(question)).toEqual({ allowed: true })
  expect(await n.can(question)).toEqual({ allowed: true })
  const run = async (d: { can(q: typeof question): Promise<unknown> }) => {
    const before = process.cpuUsage()
    for (let i = 0; i < 10000; i++) await d.can(question)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 10000
  }
  for (let round = 0; round < 4; round++) console.log('old', await run(o), 'new', await run(n))
}, 100000)
