import { rebac } from '@freehold/designs/rebac'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { endpoint } from '../../../test/engine/endpoint.ts'
import { loadOrganisation } from '../src/sample/load-organisation.ts'
import { freshTable } from './recorded-shell.ts'

/** A table of its own that holds the sample organisation. */
export async function sampleTable(): Promise<string> {
  const table = freshTable()
  const people = connect(rebac, { table, dynamo: { endpoint } })
  await ensureTable(people.runtime)
  await loadOrganisation(people)
  people.close()
  return table
}

/** Writes one item as it is, below the code under test. */
export async function putItem(table: string, item: Readonly<Record<string, string>>): Promise<void> {
  const { runtime, close } = connect(rebac, { table, dynamo: { endpoint } })
  const Item = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, name === 'version' ? { N: value } : { S: value }]))
  await runtime.sender.send('PutItem', { TableName: table, Item })
  close()
}
