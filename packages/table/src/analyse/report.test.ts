import { expect, test } from 'vitest'
import { beginsWith, design, entity, get, instant, mirror, query, queryOn, text, ulid } from '../index.ts'
import { describeProof, prove } from '../prove.ts'

const Team = entity('Team', { attributes: { teamId: ulid().made(), name: text() }, key: ['TEAM#{teamId}', 'META'] })
const Note = entity('Note', {
  attributes: { teamId: ulid(), at: instant(), noteId: ulid().made(), author: text() },
  key: ['TEAM#{teamId}', 'NOTE#{at}#{noteId}'],
  indexes: { GSI1: ['AUTHOR#{author}', '{at}'] },
})
const TeamEntry = mirror('TeamEntry', Team, ['TEAMS', 'TEAM#{teamId}'], ['name'], { why: 'lists teams' })

const small = design({
  name: 'small',
  table: 'small',
  entities: { Team, Note, TeamEntry },
  patterns: {
    team: get(Team),
    notes: query('TEAM#{teamId}', beginsWith('NOTE#')).where('author').descending().returns(Note),
    byAuthor: queryOn('GSI1', 'AUTHOR#{author}').returns(Note),
    teams: query('TEAMS').returns(TeamEntry),
  },
})

test('a proof reads as text of at most 100 columns', () => {
  const report = describeProof(prove(small))
  expect(report).toBe(`small is proven: 0 errors, 0 warnings, 4 access patterns

This holds for every item that the kinds of attributes allow: each access pattern is one GetItem or
one Query and returns only the entities that it names; no two keys collide; no addition enters a
range of the source document; the dependants of an item are found from that item; every copy can
follow its original; DynamoDB's limits hold.

Access patterns

GetItem: 1 read unit for each 4 KB of the item, half if not consistent.
  team
    GetItem table PK = TEAM#{teamId} AND SK = META
    returns Team

Query: 1 read unit for each 4 KB it reads, half if not consistent; at most 1 MB a request; items
that the filter drops are paid for, too.
  notes
    Query table PK = TEAM#{teamId} AND SK BEGINS WITH NOTE#, keeping author = {author}, last first
    returns Note

Query: 1 read unit for each 8 KB it reads, never consistent; at most 1 MB a request.
  byAuthor
    Query GSI1 GSI1PK = AUTHOR#{author}
    returns Note

Query: 1 read unit for each 4 KB it reads, half if not consistent; at most 1 MB a request.
  teams
    Query table PK = TEAMS
    returns TeamEntry (addition: lists teams)

Partitions, the hottest first

hot: This one partition takes every write of its entities: at most 500 a second (1,000 write units a
second, and a write in a transaction takes 2 for each KB).
Worry when its entities are written more than 250 times a second, as an import may, or listed so
often that they exceed 3,000 read units a second (12 MB read consistently, 24 MB otherwise).
  TEAMS  TeamEntry

bounded: All items of one owner share a partition: at most 500 writes a second for each owner (1,000
write units a second, and a write in a transaction takes 2 for each KB). Others are not affected.
Worry when one owner gets more than 250 writes a second, or is listed so often that it exceeds 3,000
read units a second (12 MB read consistently, 24 MB otherwise).
  TEAM#{teamId}  Team, Note

bounded: All items of one owner share a partition: at most 1,000 writes a second for each owner
(1,000 write units a second; a full index partition delays the writes of the table). Others are not
affected.
Worry when one owner gets more than 500 writes a second, or is listed so often that it exceeds 3,000
read units a second (12 MB read consistently, 24 MB otherwise).
  AUTHOR#{author} in GSI1  Note
`)
  expect(Math.max(...report.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100)
})

test('a report of a design that is not proven begins with what is wrong', () => {
  const broken = design({
    name: 'broken',
    table: 'broken',
    entities: { Team, Note },
    patterns: { team: get(Team), notes: query('TEAM#{teamId}').returns(Note) },
  })
  expect(
    describeProof(prove(broken)).split('\n').slice(0, 10).join('\n'),
  ).toBe(`broken is not proven: 1 error, 0 warnings, 2 access patterns

Findings

  error  ForeignInRange  notes
    The range of notes can hold a Team, such as PK 'TEAM#0AAAAAAAAAAAAAAAAAAAAAAAAA', SK 'META',
    which it does not name among its results. Narrow the range, move one of the two, or name it.

Access patterns
`)
})
