import { connect, meter } from '@freehold/table'
import { ensureTable, parallel } from '@freehold/table/runtime'
import { readers } from './example.ts'

/** The code of reading.md, in its order. A test runs it. */
export async function reading(endpoint: string, name: string) {
  const table = connect(readers, { dynamo: { endpoint }, table: name })
  await ensureTable(table.runtime)
  const { clubId } = await table.Club.create({ name: 'Tuesday Readers' })
  for (const [month, book] of ['Emma', 'Middlemarch', 'Villette'].entries())
    await table.Meeting.create({ clubId, day: `2027-0${month + 1}-05`, book })
  const { memberId } = await table.Member.create({ name: 'Ada', email: 'ada@example.org' })

  const member = await table.member({ memberId }, { consistent: true })
  const address = await table.memberIdOfEmail({ email: 'ADA@example.org' })

  const first = await table.meetingsOfClub({ clubId, from: '2027-01-01', to: '2027-12-31' }, { limit: 2 })
  const second = await table.meetingsOfClub({ clubId, from: '2027-01-01', to: '2027-12-31' }, { limit: 2, cursor: first.cursor })

  const books: string[] = []
  for await (const { book } of table.meetingsOfClub.all({ clubId, from: '2027-01-01', to: '2027-12-31' }, { order: 'descending' })) {
    books.push(book)
  }

  const { result, cost } = await meter(() =>
    parallel(
      () => table.Club.get({ clubId }, { consistent: true }),
      () => table.membersOfClub({ clubId }, { consistent: true }),
    ),
  )

  table.close()
  return { member, address, first, second, books, result, cost }
}
