import { rebac, rebacModule } from '@freehold/designs/rebac'
import { type AnyDesign, beginsWith, design, entity, get, instant, opaqueId, queryOn, text, unique } from '@freehold/table'
import { expect, test } from 'vitest'
import { endpoint, engineSender } from '../../../../test/engine/endpoint.ts'
import { freehold, freshTable } from '../../test/recorded-shell.ts'
import type { Shell } from '../shell.ts'

const Note = entity('Note', {
  attributes: { id: opaqueId(), label: text(), until: instant().optional() },
  key: ['NOTE#{id}', 'META'],
  indexes: { GSI1: ['NOTES', 'LABEL#{label}'] },
  expires: 'until',
})
const shape = {
  name: 'notes',
  table: 'notes',
  entities: { Note, NoteLabel: unique('NoteLabel', Note, ['LABEL#{label}', 'META']) },
  patterns: { note: get(Note), labelled: queryOn('GSI1', 'NOTES', beginsWith('LABEL#')).returns(Note) },
} as const
const plain = design(shape)
const named = design({
  ...shape,
  names: {
    partitionKey: 'pk',
    sortKey: 'sk',
    type: '__t',
    version: '_v',
    ttl: 'endsAt',
    indexes: { GSI1: { name: 'by-label', partitionKey: 'lpk', sortKey: 'lsk' } },
    attributes: { label: 'l' },
    types: { NoteLabel: 'label' },
  },
})
const designsOf = (of: AnyDesign): Shell['designs'] => new Map([['notes', { ...rebacModule, design: { ...rebac, ...of } }]])
const running =
  (of: AnyDesign, table: string) =>
  (...argv: string[]) =>
    freehold([...argv, '--table', table], { designs: designsOf(of), env: { DYNAMODB_ENDPOINT: endpoint } })
const sender = engineSender()

async function itemsOf(TableName: string) {
  const { Items = [] } = await sender.send('Scan', { TableName })
  return Items.map(({ writeId: _, ...item }) => item)
}

test('a design with names of its own makes, fills, exports and imports a table by those names, also to and from one without them', async () => {
  const [from, to, bare] = [freshTable(), freshTable(), freshTable()]
  const [source, target, unnamed] = [running(named, from), running(named, to), running(plain, bare)]
  for (const each of [source, target, unnamed]) expect(await each('setup', 'notes')).toMatchObject({ exit: 0, err: '' })
  const { Table } = await sender.send('DescribeTable', { TableName: from })
  expect(Table).toMatchObject({
    KeySchema: [{ AttributeName: 'pk' }, { AttributeName: 'sk' }],
    GlobalSecondaryIndexes: [{ IndexName: 'by-label', KeySchema: [{ AttributeName: 'lpk' }, { AttributeName: 'lsk' }] }],
  })
  const { TimeToLiveDescription } = await sender.send('DescribeTimeToLive', { TableName: from })
  expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'endsAt' })

  await source('create', 'notes', 'Note', '{"id":"1","label":"a","until":"2099-01-01T00:00:00Z"}')
  await source('create', 'notes', 'Note', '{"id":"2","label":"b"}')
  const stored = [
    {
      pk: { S: 'LABEL#a' },
      sk: { S: 'META' },
      __t: { S: 'label' },
      _v: { N: '1' },
      id: { S: '1' },
      l: { S: 'a' },
    },
    {
      pk: { S: 'NOTE#1' },
      sk: { S: 'META' },
      __t: { S: 'Note' },
      _v: { N: '1' },
      id: { S: '1' },
      l: { S: 'a' },
      lpk: { S: 'NOTES' },
      lsk: { S: 'LABEL#a' },
      until: { S: '2099-01-01T00:00:00.000Z' },
      endsAt: { N: '4070908800' },
    },
  ]
  expect(await itemsOf(from)).toEqual(expect.arrayContaining(stored.map((each) => expect.objectContaining(each))))

  const { out: lines } = await source('export', 'notes')
  const file = '-'
  const importing = (of: AnyDesign, table: string, stdin: string) =>
    freehold(['import', 'notes', file, '--table', table], { designs: designsOf(of), env: { DYNAMODB_ENDPOINT: endpoint }, stdin })
  expect(await importing(named, to, lines)).toMatchObject({ exit: 0 })
  expect(await importing(plain, bare, lines)).toMatchObject({ exit: 0 })
  expect(await target('export', 'notes')).toMatchObject({ out: lines })
  expect(await unnamed('export', 'notes')).toMatchObject({ out: lines })
  const byKey = (items: readonly object[]) => new Map(items.map((item) => [JSON.stringify([Object(item).pk]), item]))
  expect(byKey(await itemsOf(to))).toEqual(byKey(await itemsOf(from)))
  expect((await itemsOf(bare)).filter(({ PK }) => JSON.stringify(PK) === '{"S":"NOTE#1"}')).toEqual([
    expect.objectContaining({ GSI1PK: { S: 'NOTES' }, Type: { S: 'Note' }, ttl: { N: '4070908800' }, label: { S: 'a' } }),
  ])

  expect(await target('create', 'notes', 'Note', '{"id":"3","label":"a"}')).toMatchObject({
    exit: 1,
    err: expect.stringContaining('AlreadyExists'),
  })
  const found = JSON.parse((await target('query', 'notes', 'labelled', '{}', '--json')).out)
  expect(found.items).toMatchObject([{ id: '1', version: 1 }, { id: '2' }])
  for (const each of [target, unnamed]) expect(await each('migrate', 'notes', '--dry-run')).toMatchObject({ exit: 0, err: '' })
})
