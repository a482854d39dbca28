import { rebac, rebacModule } from '@freehold/designs/rebac'
import { connect, design, entity, get, opaqueId } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { freehold, freshTable } from '../../test/recorded-shell.ts'
import type { Shell } from '../shell.ts'

const Badge = entity('Badge', { attributes: { badge: opaqueId() }, key: ['BADGE#{badge}', 'META'] })
const Person = entity('Person', { attributes: { id: opaqueId(), surname: opaqueId() }, key: ['PERSON#{id}', 'META'] })
const first = design({ name: 'people', table: 'people', entities: { Badge, Person }, patterns: { badge: get(Badge) } })
const Named = entity('Person', {
  attributes: { id: opaqueId(), name: opaqueId().was('surname') },
  key: ['PERSON#{id}', 'META'],
  indexes: { GSI1: ['NAME#{name}', 'PERSON#{id}'] },
})
const dropped = { Badge: ['BADGE#{badge}', 'META'] } as const
const second = design({ name: 'people', table: 'people', entities: { Person: Named }, dropped, patterns: { person: get(Named) } })
const designs: Shell['designs'] = new Map([['people', { ...rebacModule, design: { ...rebac, ...second } }]])

async function ofFirst(): Promise<string> {
  const name = freshTable()
  const table = connect(first, { dynamo: { endpoint }, table: name })
  await ensureTable(table.runtime)
  await table.Badge.create({ badge: '1' })
  for (const id of ['a', 'b', 'c']) await table.Person.create({ id, surname: `${id}${id}` })
  table.close()
  return name
}

test('a table is made what its design has become: first told, then done, and in the end without what only the former version needs', async () => {
  const table = await ofFirst()
  const run = (...argv: string[]) => freehold([...argv, '--table', table], { designs })
  expect(await run('setup', 'people')).toMatchObject({ exit: 2, err: expect.stringContaining('no index GSI1. `freehold migrate people`') })
  expect(await run('get', 'people', 'Person', '{"id":"a"}')).toMatchObject({ err: expect.stringContaining('`freehold migrate people`') })
  expect(await run('migrate', 'people', '--dry-run')).toEqual({
    exit: 1,
    out: `The index GSI1 is added. DynamoDB fills it from the items that have its key.
Missing or old: 3 Person.
Only a former version needs: 1 Badge. --final removes it.
About 3 write units, without those of indexes, and 1 read unit for each pass over 4 items.
`,
    err: '',
  })
  const done = `The table ${table} has everything that the design people describes.\n`
  const left =
    'A former version of the design needs what else is there: 1 Badge. Once no program of it runs, `freehold migrate people --final` removes that.\n'
  expect(await run('migrate', 'people')).toEqual({ exit: 0, out: `${done}${left}`, err: '' })
  expect(JSON.parse((await run('migrate', 'people', '--dry-run', '--json')).out)).toMatchObject({
    items: 4,
    missing: {},
    former: { Badge: 1 },
    indexes: { added: [], removed: [] },
    problemsCount: 0,
  })
  expect(await run('migrate', 'people', '--final')).toEqual({ exit: 0, out: done, err: '' })
  expect(await run('setup', 'people')).toMatchObject({ exit: 0, err: '' })
})
