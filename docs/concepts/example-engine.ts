import { openEngine } from '@freehold/engine'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { readers } from './example.ts'

/** The code of engine.md. */
export async function embedded(path: string) {
  const engine = await openEngine({ path })
  const table = connect(readers, { engine })
  await ensureTable(table.runtime)
  const ada = await table.Member.create({ name: 'Ada', email: 'ada@example.org' })
  const found = await table.member({ memberId: ada.memberId })
  table.close()
  await engine.close()
  return { ada, found }
}
