import { checking, connect, creating, removing, updating } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { Club, ClubOfMember, Meeting, Member, readers } from './example.ts'

/** The code of writing.md, in its order. A test runs it. */
export async function writing(endpoint: string, name: string) {
  const table = connect(readers, { dynamo: { endpoint }, table: name })
  await ensureTable(table.runtime)

  const ada = await table.Member.create({ name: 'Ada', email: ' Ada@Example.org' })
  const tuesday = await table.Club.create({ name: 'Tuesday Readers', city: 'Leeds' })

  const renamed = await table.Club.update({ clubId: tuesday.clubId }, { name: 'Tuesday Club', city: null })
  const again = await table.Club.update({ clubId: tuesday.clubId }, { city: 'York' }, { version: renamed.version })

  const joined = await table.ClubOfMember.ensure({ memberId: ada.memberId, clubId: tuesday.clubId })

  await table.Member.update({ memberId: ada.memberId }, { name: 'Ada L.' })

  const { meeting } = await table.transact({
    club: checking(Club, { clubId: tuesday.clubId }, { where: { city: 'York' } }),
    meeting: creating(Meeting, { clubId: tuesday.clubId, day: '2027-03-02', book: 'Middlemarch' }),
    member: updating(Member, { memberId: ada.memberId }, { email: 'ada@example.com' }),
    left: removing(ClubOfMember, { memberId: ada.memberId, clubId: tuesday.clubId }),
  })

  const outcomes = await table.Meeting.createMany([
    { clubId: tuesday.clubId, day: '2027-04-06', book: 'Emma' },
    { clubId: tuesday.clubId, day: '2027-03-02', book: 'Emma' },
  ])
  const codes = outcomes.map(({ item, error }) => (item === undefined ? error.code : 'created'))

  await table.Club.remove({ clubId: tuesday.clubId }, { wait: false })
  const recorded = await table.jobs.list()
  const { done, held, failed } = await table.jobs.resume()

  table.close()
  return { ada, again, joined, meeting, codes, recorded, done, held, failed }
}
