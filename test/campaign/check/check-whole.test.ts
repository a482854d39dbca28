import { randomUUID } from 'node:crypto'
import { accountManagement } from '@freehold/designs/account-management'
import { platform } from '@freehold/designs/platform'
import { rebac } from '@freehold/designs/rebac'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { expect, test } from 'vitest'
import { anyItem } from '../../../packages/designs/test/any-item.ts'
import { isDerived } from '../../../packages/designs/test/model/parts.ts'
import { rawItems } from '../../../packages/designs/test/model/raw-items.ts'
import { endpoint } from '../../engine/endpoint.ts'
import { checkWhole } from './check-whole.ts'

/** A table with an item of each entity of a design, as the library writes them. */
async function wholeTable(design: typeof rebac | typeof platform | typeof accountManagement) {
  const table = connect<typeof rebac>(design as typeof rebac, { table: `whole-${randomUUID()}`, dynamo: { endpoint } })
  await ensureTable(table.runtime)
  for (const [seed, entity] of Object.values(design.entities).entries()) {
    if (isDerived(entity)) continue
    const { needs, input } = anyItem(design, entity.name, seed)
    for (const need of needs) await table.repositoryNamed(need.entity).create(need.input)
    await table.repositoryNamed(entity.name).create(input)
  }
  const items = await rawItems(table.runtime)
  table.close()
  return items
}

test.each([rebac, platform, accountManagement])(
  'a table of $name is whole, and is not without any one of its guards, mirrors, sides or targets',
  async (design) => {
    const items = await wholeTable(design)
    expect(checkWhole(design, items)).toEqual([])
    // An item that nothing refers to, with nothing beside it, is whole by its absence, too.
    const lonely = [...items].filter(([place]) => checkWhole(design, new Map([...items].filter(([other]) => other !== place))).length === 0)
    const types = new Set(lonely.map(([, { Type }]) => String(Type)))
    for (const type of types) expect(isLonely(design, type), `${type} may be missing unnoticed`).toBe(true)
  },
)

/** Has no guard, no mirror and no other side, so that only what refers to it could tell. */
function isLonely(design: Parameters<typeof checkWhole>[0], type: string): boolean {
  const entity = design.entities[type]
  if (entity === undefined || isDerived(entity) || entity.form.part.kind === 'edge') return false
  return !Object.values(design.entities).some(
    ({ form: { part } }) => (part.kind === 'guard' || part.kind === 'mirror') && part.owner === entity,
  )
}

test('a wrong index key, a copy that has not followed, a mark and a job that were left behind are found', async () => {
  const items = await wholeTable(platform)
  const [place = '', account = {}] = [...items].find(([, { Type }]) => Type === 'Account') ?? []
  const changed = (change: Readonly<Record<string, unknown>>) => checkWhole(platform, new Map(items).set(place, { ...account, ...change }))
  expect(changed({ writeId: 'any' })).toEqual([])
  expect(changed({ GSI1SK: 'ACCOUNT#other' })).toHaveLength(1)
  expect(changed({ deleting: 'job' })).toHaveLength(1)
  const job = { PK: 'FREEHOLD_JOBS', SK: 'JOB#1', Type: 'Job', version: 1 }
  expect(checkWhole(platform, new Map(items).set('FREEHOLD_JOBS / JOB#1', job))).toHaveLength(1)
  const [copying = '', member = {}] = [...items].find(([, { Type }]) => Type === 'GroupMember') ?? []
  expect(checkWhole(platform, new Map(items).set(copying, { ...member, accountId: 'other' }))).not.toEqual([])
})
