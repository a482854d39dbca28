import { describe, expect, test } from 'vitest'
import { agency } from '../../../test/agency/design.ts'
import { catalogue } from '../../../test/catalogue/design.ts'
import { depot } from '../../../test/depot/design.ts'
import { edges } from '../../../test/edges.ts'
import {
  type AnyDesign,
  atMost,
  beginsWith,
  between,
  dependingOn,
  design,
  edge,
  entity,
  get,
  instant,
  mirror,
  oneOf,
  query,
  queryOn,
  stamp,
  text,
  ulid,
  unique,
} from '../../language.ts'
import { describeDesign } from './describe-design.ts'

const Team = entity('Team', {
  attributes: { teamId: ulid().made(), name: text(), state: oneOf('open', 'shut').made('open').addition('a shut team takes nobody') },
  key: ['TEAM#{teamId}', 'META'],
})
const TeamName = unique('TeamName', Team, ['TEAM_NAME#{name}', 'META'])
const TeamEntry = mirror('TeamEntry', Team, ['TEAMS', 'TEAM#{teamId}'], ['name'], { why: 'lists | teams' })
const Person = entity('Person', {
  attributes: {
    personId: ulid().made(),
    pin: text().optional().secret().was('code').addition('a door asks', 'no door opens'),
    mentorId: ulid().optional(),
  },
  key: ['PERSON#{personId}', 'META'],
  indexes: { GSI1: ['MENTOR#{mentorId}', 'PERSON#{personId}'] },
  refers: { mentorId: { to: Team, by: { teamId: 'mentorId' }, onRemove: 'keep' } },
})
const { TeamPerson, PersonTeam } = edge({
  ends: { teamId: { to: Team, onRemove: 'refuse' }, personId: Person },
  attributes: { joinedAt: stamp.onCreate() },
  items: { TeamPerson: ['TEAM#{teamId}', 'PERSON#{personId}'], PersonTeam: ['PERSON#{personId}', 'TEAM#{teamId}'] },
  copies: { PersonTeam: { teamName: 'teamId.name' } },
  additions: { TeamPerson: 'who is in a team' },
})
const Note = entity('Note', {
  attributes: { ofType: oneOf('team', 'person'), ofId: ulid(), at: instant().made(), noteId: ulid().made(), endsAt: instant() },
  key: ['NOTES#{ofType}#{ofId}', 'NOTE#{at}#{noteId}'],
  refers: { ofId: dependingOn('ofType', { team: Team, person: Person }) },
  fixed: ['at'],
  expires: 'endsAt',
})
const Log = entity('Log', {
  attributes: { teamId: ulid().optional(), at: instant() },
  key: ['LOG#{teamId}|LOG', 'AT#{at}'],
  appendOnly: true,
})

const small = design({
  name: 'small',
  table: 'Small',
  description: 'Teams and their people',
  tags: { Owner: 'us' },
  entities: { Team, TeamName, TeamEntry, Person, TeamPerson, PersonTeam, Note, Log },
  patterns: {
    team: get(Team),
    peopleOfMentor: queryOn('GSI1', 'MENTOR#{mentorId}', beginsWith('PERSON#')).returns(Person),
    teamsOfPerson: query('PERSON#{personId}', beginsWith('TEAM#')).where('teamName').returns(PersonTeam),
    notes: query('NOTES#{ofType}#{ofId}', between('NOTE#{from}', 'NOTE#{to}')).descending().returns(Note),
    log: get(Log),
    logOfNone: query('LOG', atMost('AT#{until}')).returns(Log),
    teams: query('TEAMS').returns(TeamEntry),
    person: get(Person).addition('looks a person up'),
  },
  features: { notes: [Note] },
})

const page = describeDesign(small)
/** The text from this heading to the next of its level or above. */
function sectionOf(heading: string): string {
  const level = /^#+/.exec(heading)?.[0] ?? ''
  const [, rest = ''] = page.split(`${heading}\n\n`)
  return (rest.split(new RegExp(`\n#{1,${level.length}} `))[0] ?? '').trim()
}

describe('the page of a design', () => {
  test('begins with what it is', () => {
    expect(page.split('## Picture')[0]).toBe(`# The design \`small\`

<!-- Written by \`freehold docs\` from the design: change that, not this page. -->

Teams and their people

- Table \`Small\`, unless it is deployed under another name; key \`PK\` and \`SK\`.
- Global secondary indexes: \`GSI1\`. DynamoDB’s TTL is on \`ttl\`.
- 8 entities, 2 of them additions; 8 access patterns, 2 of them additions.
- Tags: \`Owner=us\`.

[Picture](#picture) · [Entities](#entities) · [Access patterns](#access-patterns) · [The table](#the-table) · [Indexes](#indexes) · [Heat](#heat) · [Removal](#removal) · [Copies](#copies) · [Additions](#additions) · [Features](#features) · [Proofs](#proofs)

`)
  })

  test('draws what refers to what: references from one to many, edges from many to many', () => {
    expect(sectionOf('## Picture').split('\n\n')[1]).toBe(`\`\`\`mermaid
erDiagram
  "Team"
  "Person"
  "Team" |o..o{ "Person" : "mentorId (stays)"
  "Team" }o--o{ "Person" : "TeamPerson, PersonTeam"
  "Note"
  "Team" ||--o{ "Note" : "ofId"
  "Person" ||--o{ "Note" : "ofId"
  "Log"
\`\`\``)
  })

  test('has an entity with its guards, mirrors and attributes', () => {
    expect(sectionOf('### Team')).toBe(`| item | in | partition key | sort key | notes |
| --- | --- | --- | --- | --- |
| \`Team\` | table | \`TEAM#{teamId}\` | \`META\` |  |
| \`TeamName\` | table | \`TEAM_NAME#{name}\` | \`META\` | uniqueness guard of \`Team\`, with \`teamId\`, \`name\` |
| \`TeamEntry\` | table | \`TEAMS\` | \`TEAM#{teamId}\` | lookup item of \`Team\`, with \`teamId\`, \`name\`<br>*addition:* lists \\| teams |

| attribute | kind | value | notes |
| --- | --- | --- | --- |
| \`teamId\` | ulid | default: a new ULID |  |
| \`name\` | text | given |  |
| \`state\` | one of \`open\`, \`shut\` | default: \`open\` | *addition:* a shut team takes nobody |`)
  })

  test('says where an index has no key, what is secret, and what is referred to', () => {
    expect(sectionOf('### Person')).toBe(`| item | in | partition key | sort key | notes |
| --- | --- | --- | --- | --- |
| \`Person\` | table | \`PERSON#{personId}\` | \`META\` |  |
|  | GSI1 | \`MENTOR#{mentorId}\` | \`PERSON#{personId}\` | only with \`mentorId\` |

| attribute | kind | value | notes |
| --- | --- | --- | --- |
| \`personId\` | ulid | default: a new ULID |  |
| \`pin\` | text | optional | **secret**<br>was \`code\`<br>*addition:* a door asks<br>*if absent:* no door opens |
| \`mentorId\` | ulid | optional | refers to [\`Team\`](#team) |`)
  })

  test('has an edge once, with the items that it is stored as', () => {
    expect(
      sectionOf('### TeamPerson and PersonTeam'),
    ).toBe(`One relationship of [\`Team\`](#team) (\`teamId\`) and [\`Person\`](#person) (\`personId\`), stored as 2 items, which are written and removed together.

| item | in | partition key | sort key | notes |
| --- | --- | --- | --- | --- |
| \`TeamPerson\` | table | \`TEAM#{teamId}\` | \`PERSON#{personId}\` | *addition:* who is in a team |
| \`PersonTeam\` | table | \`PERSON#{personId}\` | \`TEAM#{teamId}\` |  |

| attribute | kind | value | notes |
| --- | --- | --- | --- |
| \`teamId\` | ulid | given | refers to [\`Team\`](#team) |
| \`personId\` | ulid | given | refers to [\`Person\`](#person) |
| \`joinedAt\` | instant | default: now |  |
| \`teamName\` | text | copy of \`Team.name\` | in \`PersonTeam\` only |`)
  })

  test('says what a reference depends on, what never changes, what ends an item, and of which feature it is', () => {
    expect(sectionOf('### Note')).toBe(`Expires at \`endsAt\`, from which \`ttl\` is written. Part of the feature \`notes\`.

| item | in | partition key | sort key |
| --- | --- | --- | --- |
| \`Note\` | table | \`NOTES#{ofType}#{ofId}\` | \`NOTE#{at}#{noteId}\` |

| attribute | kind | value | notes |
| --- | --- | --- | --- |
| \`ofType\` | one of \`team\`, \`person\` | given |  |
| \`ofId\` | ulid | given | refers to [\`Team\`](#team) if \`ofType\` is \`team\`<br>refers to [\`Person\`](#person) if \`ofType\` is \`person\` |
| \`at\` | instant | default: now | never changes |
| \`noteId\` | ulid | default: a new ULID |  |
| \`endsAt\` | instant | given | the item expires then |`)
  })

  test('says what is append-only, and gives both forms of a key', () => {
    expect(sectionOf('### Log')).toBe(`Append-only: written once; updates and removals are refused.

| item | in | partition key | sort key |
| --- | --- | --- | --- |
| \`Log\` | table | \`LOG#{teamId}\` or \`LOG\` | \`AT#{at}\` |

| attribute | kind | value |
| --- | --- | --- |
| \`teamId\` | ulid | optional |
| \`at\` | instant | given |`)
  })

  test('has every access pattern with what is sent, those of the document first', () => {
    expect(
      sectionOf('## Access patterns').split('What a request costs:\n\n')[1],
    ).toBe(`- **A** 1 read unit for each 4 KB of the item, half if not consistent
- **B** 1 read unit for each 8 KB it reads, never consistent; at most 1 MB a request
- **C** 1 read unit for each 4 KB it reads, half if not consistent; at most 1 MB a request; items that the filter drops are paid for, too
- **D** 1 read unit for each 4 KB it reads, half if not consistent; at most 1 MB a request

| pattern | request | returns | cost |
| --- | --- | --- | --- |
| \`team\` | GetItem<br>\`PK = TEAM#{teamId}\`<br>\`SK = META\` | [\`Team\`](#team) | A |
| \`peopleOfMentor\` | Query on GSI1<br>\`GSI1PK = MENTOR#{mentorId}\`<br>\`GSI1SK BETWEEN PERSON# AND PERSON#∞\` | [\`Person\`](#person) | B |
| \`teamsOfPerson\` | Query<br>\`PK = PERSON#{personId}\`<br>\`SK BETWEEN TEAM# AND TEAM#∞\`<br>filter \`teamName = {teamName}\` | [\`PersonTeam\`](#teamperson-and-personteam) | C |
| \`notes\` | Query<br>\`PK = NOTES#{ofType}#{ofId}\`<br>\`SK BETWEEN NOTE#{from} AND NOTE#{to}∞\`<br>last sort key first<br>\`{from}\`: instant or day<br>\`{to}\`: instant or day | [\`Note\`](#note) | D |
| \`log\` | GetItem<br>\`PK = LOG#{teamId}\` or \`PK = LOG\`<br>\`SK = AT#{at}\` | [\`Log\`](#log) | A |
| \`logOfNone\` | Query<br>\`PK = LOG\`<br>\`SK BETWEEN AT# AND AT#{until}∞\`<br>\`{until}\`: instant or day | [\`Log\`](#log) | D |

### Added access patterns

The source document does not have these. [Additions](#additions) gives the reasons.

| pattern | request | returns | cost |
| --- | --- | --- | --- |
| \`teams\` | Query<br>\`PK = TEAMS\` | [\`TeamEntry\`](#team) | D |
| \`person\` | GetItem<br>\`PK = PERSON#{personId}\`<br>\`SK = META\` | [\`Person\`](#person) | A |`)
  })

  test('says what lies in each partition of the table, in its order, and who reads it', () => {
    expect(sectionOf('## The table')).toBe(`Items that share a partition key lie together, in the order of their sort keys.

| partition key | items, by sort key | read by | heat |
| --- | --- | --- | --- |
| \`TEAM#{teamId}\` | \`META\` [\`Team\`](#team)<br>\`PERSON#{personId}\` [\`TeamPerson\`](#teamperson-and-personteam) | \`team\` | bounded |
| \`TEAM_NAME#{name}\` | \`META\` [\`TeamName\`](#team) |  | spread |
| \`TEAMS\` | \`TEAM#{teamId}\` [\`TeamEntry\`](#team) | \`teams\` | hot |
| \`PERSON#{personId}\` | \`META\` [\`Person\`](#person)<br>\`TEAM#{teamId}\` [\`PersonTeam\`](#teamperson-and-personteam) | \`teamsOfPerson\`, \`person\` | bounded |
| \`NOTES#{ofType}#{ofId}\` | \`NOTE#{at}#{noteId}\` [\`Note\`](#note) | \`notes\` | bounded |
| \`LOG#{teamId}\` | \`AT#{at}\` [\`Log\`](#log) | \`log\` | bounded |
| \`LOG\` | \`AT#{at}\` [\`Log\`](#log) | \`log\`, \`logOfNone\` | hot |`)
  })

  test('says what lies in each index', () => {
    expect(sectionOf('### GSI1')).toBe(`| partition key | items, by sort key | read by | heat |
| --- | --- | --- | --- |
| \`MENTOR#{mentorId}\` | \`PERSON#{personId}\` [\`Person\`](#person) | \`peopleOfMentor\` | bounded |`)
  })

  test('says what goes, refuses or stays, and how it is found', () => {
    expect(sectionOf('## Removal').split('\n\n').slice(1).join('\n\n')).toBe(`| removed | dependants | then | found as |
| --- | --- | --- | --- |
| [\`Team\`](#team) | [\`TeamPerson\`](#teamperson-and-personteam) and [\`PersonTeam\`](#teamperson-and-personteam) by \`teamId\` | **refuses**: remove it first | \`TeamPerson\` at \`TEAM#{teamId} / PERSON#…\` |
|  | [\`Person\`](#person) by \`mentorId\` | stays |  |
|  | [\`Note\`](#note) by \`ofId\` if \`ofType = team\` | is removed, too | \`Note\` at \`NOTES#team#{teamId} / NOTE#…\` |
| [\`Person\`](#person) | [\`TeamPerson\`](#teamperson-and-personteam) and [\`PersonTeam\`](#teamperson-and-personteam) by \`personId\` | is removed, too | \`PersonTeam\` at \`PERSON#{personId} / TEAM#…\` |
|  | [\`Note\`](#note) by \`ofId\` if \`ofType = person\` | is removed, too | \`Note\` at \`NOTES#person#{personId} / NOTE#…\` |

Without dependants: \`TeamPerson\`, \`PersonTeam\`, \`Note\`.`)
  })

  test('says which copies follow', () => {
    expect(sectionOf('## Copies').split('\n\n')[1]).toBe(`| original | copies | found as |
| --- | --- | --- |
| \`Team.name\` | \`PersonTeam.teamName\` | \`TeamPerson\` at \`TEAM#{teamId} / PERSON#…\` |`)
  })

  test('gives additions by reason: items, attributes, access patterns', () => {
    expect(sectionOf('## Additions').split('\n\n')[1]).toBe(`| why | items | attributes | access patterns |
| --- | --- | --- | --- |
| lists \\| teams | [\`TeamEntry\`](#team) |  | \`teams\` |
| who is in a team | [\`TeamPerson\`](#teamperson-and-personteam) |  |  |
| a shut team takes nobody |  | \`Team.state\` |  |
| a door asks |  | \`Person.pin\` |  |
| looks a person up |  |  | \`person\` |`)
  })

  test('says whose the items are, where the table has tenants', () => {
    expect(page).not.toContain('## Tenants')
    expect(
      describeDesign(agency).split('## Tenants\n\n')[1]?.split('\n\n## ')[0],
    ).toBe(`A caller that acts for a tenant reads and writes no items of another. An attribute names the tenant of an item:

| tenant | entities |
| --- | --- |
| \`id\` | \`Firm\` |
| \`firm_id\` | \`Site\`, \`SitePlace\`, \`Skill\`, \`SkillTool\`, \`ToolSkill\`, \`Post\`, \`PlacePost\`, \`SkillPost\` |
| no tenant | \`Tool\` |

Every tenant reads items without a tenant, and only operators write them: \`Skill\`, \`Tool\`, \`SkillTool\`, \`ToolSkill\`.

Access patterns that read items of many tenants, for operators only: \`skillsOfTool\`, \`posts\`.`)
  })

  test('says what goes with a feature', () => {
    expect(sectionOf('## Features').split('\n\n')[1]).toBe(`| feature | items left out | access patterns left out |
| --- | --- | --- |
| \`notes\` | [\`Note\`](#note) | \`notes\` |`)
  })

  test('lists what a proof finds', () => {
    const broken = design({ name: 'broken', table: 'broken', entities: { Team, TeamName, TeamEntry }, patterns: { team: get(Team) } })
    expect(
      describeDesign(broken).split('## Proofs\n\n')[1],
    ).toBe(`Proven: 0 errors, 1 warning, 1 access pattern. This holds for every item that the kinds of attributes allow: each access pattern is one GetItem or one Query and returns only the entities that it names; no two keys collide; no addition enters a range of the source document; the dependants of an item are found from that item; every copy can follow its original; DynamoDB's limits hold.

| severity | finding | about | meaning |
| --- | --- | --- | --- |
| warning | \`Unreached\` | \`TeamEntry\` | No access pattern returns TeamEntry. Name one that does, or leave TeamEntry out. |
`)
  })
})

const Odd = entity('Od"d|<b>`x`; %% {', {
  attributes: { 'a|"b': text(), id: ulid().made(), c: ulid() },
  key: ['ODD#{id}', 'A`*B'],
  refers: { c: Team },
  addition: { why: 'a | pipe, a `tick, <script> and\n## no heading' },
})
const odd = design({
  name: 'o|d`d',
  table: 'odd',
  description: 'It | is\n# odd',
  entities: { Team, TeamName, TeamEntry, [Odd.name]: Odd },
  patterns: { 'p|`q': get(Odd) },
})

describe.each<AnyDesign>([small, odd, agency, catalogue, depot, edges])('whatever is in the design $name', (each) => {
  const lines = describeDesign(each).split('\n')

  test('its page is the same each time', () => {
    expect(describeDesign(each).split('\n')).toEqual(lines)
  })

  // Mermaid 10 to 12 parsed pages of this form. It is no dependency: it brings 200 MB and does not promise to run without a browser.
  test('the picture keeps to a part of Mermaid that nothing breaks', () => {
    const name = '"[\\p{L}\\p{N} _.,()-]+"'
    const line = new RegExp(`^  ${name}(?: (?:\\|[|o](?:--|\\.\\.)|\\}o--)o\\{ ${name} : ${name})?$`, 'u')
    const start = lines.indexOf('```mermaid')
    const drawn = lines.slice(start + 2, lines.indexOf('```', start))
    expect(lines[start + 1]).toBe('erDiagram')
    expect(drawn.length).toBeGreaterThan(0)
    expect(drawn.filter((text) => !line.test(text))).toEqual([])
  })

  test('each row of a table has as many cells as its heading', () => {
    const cells = (row: string) => row.split(/(?<!\\)\|/).length
    let heading: string | undefined
    const wrong = lines.filter((line) => {
      heading = line.startsWith('|') ? (heading ?? line) : undefined
      return heading !== undefined && (cells(line) !== cells(heading) || !line.endsWith(' |'))
    })
    expect(wrong).toEqual([])
  })
})
