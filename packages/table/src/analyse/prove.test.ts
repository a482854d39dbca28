import { describe, expect, test } from 'vitest'
import {
  type AnyDesign,
  type Attributes,
  atLeast,
  atMost,
  beginsWith,
  beginsWithPart,
  between,
  day,
  design,
  edge,
  entity,
  get,
  instant,
  list,
  mirror,
  oneOf,
  query,
  queryOn,
  text,
  ulid,
  unique,
  uuid,
} from '../index.ts'
import { prove } from '../prove.ts'
import { type FindingCode, findingCodes } from './finding.ts'

type Entities = AnyDesign['entities']
type Patterns = AnyDesign['patterns']

const long = 'X'.repeat(1100)
const id = () => ulid().made()
const Team = entity('Team', { attributes: { teamId: id(), name: text() }, key: ['TEAM#{teamId}', 'META'] })

function designOf(entities: Entities, patterns: Patterns = {}): AnyDesign {
  // Every entity is reached, unless a test is about that.
  const gets = Object.fromEntries(Object.values(entities).map((each) => [`get${each.name}`, get(each)]))
  return design({ name: 'small', table: 'small', entities, patterns: { ...gets, ...patterns } })
}

/** A value that the language itself refuses or cannot make, put together from one that it makes. */
function forged(
  base: AnyDesign,
  change: (form: AnyDesign['form']) => Partial<AnyDesign['form']>,
  more: Partial<AnyDesign> = {},
): AnyDesign {
  return { ...base, ...more, form: { ...base.form, ...change(base.form) } }
}

function withPattern(base: AnyDesign, name: string, change: object): AnyDesign {
  return forged(base, ({ patterns }) => {
    const pattern = patterns.get(name)
    return pattern === undefined ? {} : { patterns: new Map([...patterns, [name, { ...pattern, ...change }]]) }
  })
}

const Note = entity('Note', { attributes: { teamId: ulid(), at: instant(), noteId: id() }, key: ['TEAM#{teamId}', 'NOTE#{at}#{noteId}'] })
const notes = { notes: query('TEAM#{teamId}', beginsWith('NOTE#')).returns(Note) }

const wrong: readonly (readonly [mistake: string, code: FindingCode, subject: string, make: () => AnyDesign])[] = [
  [
    'a partition key of which a part is no parameter',
    'PartitionUnbound',
    'notes',
    () => withPattern(designOf({ Note }, notes), 'notes', { parameters: [] }),
  ],
  ['an operation that scans', 'PartitionUnbound', 'notes', () => withPattern(designOf({ Note }, notes), 'notes', { operation: 'scan' })],
  ['a get without a sort key', 'PartitionUnbound', 'getNote', () => withPattern(designOf({ Note }), 'getNote', { sort: undefined })],
  [
    'a partition of which a part is also the end of a range',
    'PartitionUnbound',
    'since',
    () => {
      const Due = entity('Due', { attributes: { due: instant() }, key: ['DUE#{due}', '{due}'] })
      return designOf({ Due }, { since: query('DUE#{due}', atLeast('{due}')).returns(Due) })
    },
  ],
  [
    'an addition that nothing gives to an item of another program',
    'AbsenceUntold',
    'Seat',
    () =>
      designOf({
        Seat: entity('Seat', { attributes: { seatId: id(), row: text().addition('people look for it') }, key: ['SEAT#{seatId}', 'META'] }),
      }),
  ],
  [
    'the keys of an entity that was dropped',
    'KeyCollision',
    'Team',
    () =>
      design({
        name: 'small',
        table: 'small',
        entities: { Team },
        patterns: { team: get(Team) },
        dropped: { Club: ['TEAM#{clubId}', 'META'] },
      }),
  ],
  [
    'the same templates in two entities',
    'KeyCollision',
    'Team',
    () => designOf({ Team, Club: entity('Club', { attributes: { clubId: id() }, key: ['TEAM#{clubId}', 'META'] }) }),
  ],
  [
    'a text that can be a literal of another entity',
    'KeyCollision',
    'Team',
    () => designOf({ Team, Tag: entity('Tag', { attributes: { teamId: ulid(), tag: text() }, key: ['TEAM#{teamId}', '{tag}'] }) }),
  ],
  [
    'a text that can have the text around a placeholder of another entity',
    'KeyCollision',
    'Task',
    () =>
      designOf({
        Task: entity('Task', { attributes: { taskId: text() }, key: ['$app#taskid_{taskId}', '$task_1'] }),
        Any: entity('Any', { attributes: { any: text({ pattern: /^[a-z_]+$/ }) }, key: ['$app#{any}', '$task_1'] }),
      }),
  ],
  [
    'a text around a placeholder that begins with that of another entity',
    'KeyCollision',
    'Task',
    () =>
      designOf({
        Task: entity('Task', { attributes: { taskId: text() }, key: ['$app#task{taskId}', 'META'] }),
        Tasks: entity('Tasks', { attributes: { taskId: text() }, key: ['$app#task_{taskId}', 'META'] }),
      }),
  ],
  [
    'a range after the text around a placeholder that another entity continues',
    'ForeignInRange',
    'tasks',
    () => {
      const Task = entity('Task', { attributes: { orgId: ulid(), taskId: uuid() }, key: ['$app#org_{orgId}', '$tasks_1#task_{taskId}'] })
      const Step = entity('Step', {
        attributes: { orgId: ulid(), stepId: ulid() },
        key: ['$app#org_{orgId}', '$tasks_1#task_step_{stepId}'],
      })
      return designOf({ Task, Step }, { tasks: query('$app#org_{orgId}', atLeast('$tasks_1#task_{from}')).returns(Task) })
    },
  ],
  [
    'a last placeholder that swallows the segments of another entity',
    'KeyCollision',
    'Path',
    () =>
      designOf({
        Path: entity('Path', { attributes: { path: text() }, key: ['P#{path}', 'META'] }),
        Part: entity('Part', { attributes: { a: ulid(), b: ulid() }, key: ['P#{a}#{b}', 'META'] }),
      }),
  ],
  [
    'a text in place of a literal in another alternative',
    'AmbiguousAlternative',
    'Role',
    () =>
      designOf({
        Role: entity('Role', {
          attributes: { client: text().optional(), name: text() },
          key: ['ROLES#{client}|ROLES#SYSTEM', '{name}'],
        }),
      }),
  ],
  [
    'a partition that is all text',
    'ReservedPartition',
    'Any',
    () => designOf({ Any: entity('Any', { attributes: { any: text() }, key: ['{any}', 'META'] }) }),
  ],
  [
    'a partition of calls',
    'ReservedPartition',
    'Any',
    () => designOf({ Any: entity('Any', { attributes: { any: text() }, key: ['FREEHOLD_CALLS#{any}', 'META'] }) }),
  ],
  [
    'a query of a whole partition that holds more',
    'ForeignInRange',
    'all',
    () => designOf({ Team, Note }, { all: query('TEAM#{teamId}').returns(Note) }),
  ],
  [
    'a prefix of a name that begins another entity',
    'ForeignInRange',
    'notes',
    () =>
      designOf(
        { Note, NoteTag: entity('NoteTag', { attributes: { teamId: ulid(), tag: text() }, key: ['TEAM#{teamId}', 'NOTE_TAG#{tag}'] }) },
        { notes: query('TEAM#{teamId}', beginsWithPart('NOTE')).returns(Note) },
      ),
  ],
  [
    'an upper bound without a literal before it',
    'ForeignInRange',
    'until',
    () => {
      const Due = entity('Due', { attributes: { teamId: ulid(), due: day(), dueId: id() }, key: ['TEAM#{teamId}', '{due}#{dueId}'] })
      const Code = entity('Code', { attributes: { teamId: ulid(), code: oneOf('0') }, key: ['TEAM#{teamId}', '{code}'] })
      return designOf({ Due, Code }, { until: query('TEAM#{teamId}', atMost('{due}')).returns(Due) })
    },
  ],
  [
    'a range between two literals with a third entity between',
    'ForeignInRange',
    'some',
    () => {
      const A = entity('A', { attributes: { teamId: ulid(), x: ulid() }, key: ['TEAM#{teamId}', 'A#{x}'] })
      const B = entity('B', { attributes: { teamId: ulid(), x: ulid() }, key: ['TEAM#{teamId}', 'B#{x}'] })
      const C = entity('C', { attributes: { teamId: ulid(), x: ulid() }, key: ['TEAM#{teamId}', 'C#{x}'] })
      const base = designOf({ A, B, C }, { some: query('TEAM#{teamId}', between('A#{x}', 'A#{x}')).returns(A) })
      // No entity begins with both ends, so that the language does not let one be written.
      return withPattern(base, 'some', { entities: [A, C], sort: { operator: 'between', templates: [A.form.key.sort, C.form.key.sort] } })
    },
  ],
  [
    'an index that another entity shares',
    'ForeignInRange',
    'byName',
    () => {
      const A = entity('A', { attributes: { a: id(), name: text() }, key: ['A#{a}', 'META'], indexes: { GSI1: ['NAME#{name}', 'A#{a}'] } })
      const B = entity('B', { attributes: { b: id(), name: text() }, key: ['B#{b}', 'META'], indexes: { GSI1: ['NAME#{name}', 'B#{b}'] } })
      return designOf({ A, B }, { byName: queryOn('GSI1', 'NAME#{name}').returns(A) })
    },
  ],
  [
    'an addition in the range of the source document',
    'AdditionInRange',
    'notes',
    () => {
      const Draft = entity('Draft', {
        attributes: { teamId: ulid(), draftId: id() },
        key: ['TEAM#{teamId}', 'NOTE#DRAFT#{draftId}'],
        addition: { why: 'drafts' },
      })
      return designOf({ Note, Draft }, notes)
    },
  ],
  [
    'an addition that is named by a pattern of the source document',
    'AdditionInRange',
    'all',
    () => {
      const Draft = entity('Draft', { attributes: { teamId: ulid() }, key: ['TEAM#{teamId}', 'DRAFT'], addition: { why: 'drafts' } })
      return designOf({ Note, Draft }, { all: query('TEAM#{teamId}').returns(Note, Draft) })
    },
  ],
  [
    'a parameter of another kind than the key',
    'NeverReturned',
    'all',
    () => {
      const Old = entity('Old', { attributes: { teamId: uuid() }, key: ['TEAM#{teamId}', 'OLD'] })
      return designOf({ Note, Old }, { all: query('TEAM#{teamId}').returns(Note, Old) })
    },
  ],
  [
    'a reference without a way back',
    'NotEnumerable',
    'Team',
    () =>
      designOf({
        Team,
        Plan: entity('Plan', { attributes: { planId: id(), teamId: ulid() }, key: ['PLAN#{planId}', 'META'], refers: { teamId: Team } }),
      }),
  ],
  [
    'an edge that is written at one end only',
    'NotEnumerable',
    'Team',
    () => {
      const Person = entity('Person', { attributes: { personId: id() }, key: ['PERSON#{personId}', 'META'] })
      const sides = edge({
        ends: { personId: Person, teamId: Team },
        attributes: {},
        items: { PersonTeam: ['PERSON#{personId}', 'TEAM#{teamId}'] },
      })
      return designOf({ Team, Person, ...sides })
    },
  ],
  [
    'a way back that is not always written',
    'NotEnumerable',
    'Team',
    () => {
      const Plan = entity('Plan', {
        attributes: { planId: id(), teamId: ulid(), label: text().optional() },
        key: ['PLAN#{planId}', 'META'],
        refers: { teamId: { to: Team, onRemove: 'refuse' } },
      })
      return designOf({ Team, Plan, TeamPlan: mirror('TeamPlan', Plan, ['TEAM#{teamId}', 'PLAN#{planId}#{label}']) })
    },
  ],
  [
    'copies that nothing finds',
    'CopyNotFollowed',
    'Plan',
    () =>
      designOf({
        Team,
        Plan: entity('Plan', {
          attributes: { planId: id(), teamId: ulid(), teamName: text().from('teamId', 'name') },
          key: ['PLAN#{planId}', 'META'],
          refers: { teamId: { to: Team, onRemove: 'keep' } },
        }),
      }),
  ],
  [
    'copies that are not always found',
    'CopyNotFollowed',
    'Plan',
    () => {
      const Plan = entity('Plan', {
        attributes: { planId: id(), teamId: ulid(), teamName: text().from('teamId', 'name'), label: text().optional() },
        key: ['PLAN#{planId}', 'META'],
        refers: { teamId: { to: Team, onRemove: 'keep' } },
      })
      return designOf({ Team, Plan, TeamPlan: mirror('TeamPlan', Plan, ['TEAM#{teamId}', 'PLAN#{planId}#{label}']) })
    },
  ],
  [
    'a copy in a table key',
    'CopyInKey',
    'Plan',
    () =>
      designOf({
        Team,
        Plan: entity('Plan', {
          attributes: { planId: id(), teamId: ulid(), name: text().from('teamId') },
          key: ['TEAM#{teamId}', 'PLAN#{planId}#{name}'],
          refers: { teamId: Team },
        }),
      }),
  ],
  [
    'a tenant that another tenant may change',
    'CopiedTenant',
    'Plan',
    () => {
      const place = (siteId: ReturnType<typeof uuid>) =>
        entity('Site', { attributes: { siteId, org: text() }, key: ['SITE#{siteId}', 'META'] })
      const planOf = (Site: ReturnType<typeof place>, onRemove: 'keep' | 'cascade') => {
        const attributes = { planId: id(), siteId: uuid(), org: text().from('siteId') }
        const Plan = entity('Plan', { attributes, key: ['PLAN#{planId}', 'META'], refers: { siteId: { to: Site, onRemove } } })
        const SitePlan = mirror('SitePlan', Plan, ['SITE_PLANS#{siteId}', 'PLAN#{planId}'], ['org'])
        const entities = { Site, Plan, SitePlan }
        const patterns = { site: get(Site), plan: get(Plan), sitePlan: get(SitePlan) }
        return design({ name: 'small', table: 'small', entities, patterns, tenants: { by: 'org' } })
      }
      expect(prove(planOf(place(uuid()), 'cascade')).isProven).toBe(true)
      // A caller may give an id that the runtime makes otherwise.
      return planOf(place(uuid().made() as never), 'keep')
    },
  ],
  [
    'a guard without the key of its owner',
    'LeadsNowhere',
    'TeamName',
    () => {
      const guard = unique('TeamName', Team, ['TEAM_NAME#{name}', 'META'])
      return designOf({ Team, TeamName: { ...guard, attributes: { name: Team.attributes.name } } })
    },
  ],
  [
    'a guard of one item of an edge',
    'OwnerIsPart',
    'Seat',
    () => {
      const Person = entity('Person', { attributes: { personId: id() }, key: ['PERSON#{personId}', 'META'] })
      const sides = edge({
        ends: { personId: Person, teamId: Team },
        attributes: { seat: text() },
        items: { PersonTeam: ['PERSON#{personId}', 'TEAM#{teamId}'], TeamPerson: ['TEAM#{teamId}', 'PERSON#{personId}'] },
      })
      return designOf({ Team, Person, ...sides, Seat: unique('Seat', sides.TeamPerson, ['SEAT#{seat}', 'META']) })
    },
  ],
  [
    'a life that ends on a day',
    'ExpiresNotInstant',
    'Visit',
    () => {
      const Visit = entity('Visit', { attributes: { visitId: id(), until: day() }, key: ['VISIT#{visitId}', 'META'] })
      return designOf({ Visit: { ...Visit, form: { ...Visit.form, expires: 'until' } } })
    },
  ],
  [
    'an index in a design without',
    'IndexForbidden',
    'GSI1',
    () => ({
      ...designOf({ A: entity('A', { attributes: { a: id() }, key: ['A#{a}', 'META'], indexes: { GSI1: ['ALL', '{a}'] } }) }),
      noIndexes: true,
    }),
  ],
  [
    'an attribute with the name of an index key',
    'IndexAttribute',
    'byTeam',
    () =>
      designOf({
        A: entity('A', { attributes: { a: id(), byTeamPK: text() }, key: ['A#{a}', 'META'], indexes: { byTeam: ['ALL', '{a}'] } }),
      }),
  ],
  [
    'more indexes than a table may have',
    'TooManyIndexes',
    'small',
    () => {
      const indexes = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`GSI${index + 1}`, ['ALL', '{a}'] as const]))
      return designOf({ A: entity('A', { attributes: { a: id() }, key: ['A#{a}', 'META'], indexes }) })
    },
  ],
  [
    'a sort key that is always too long',
    'KeyTooLong',
    'A',
    () => designOf({ A: entity('A', { attributes: { a: id(), b: id() }, key: ['A#{a}', `${long}#{b}`] }) }),
  ],
  [
    'more mirrors than a transaction can move',
    'TransactionTooLarge',
    'Team',
    () => {
      const mirrors = Array.from({ length: 50 }, (_, index) => mirror(`M${index}`, Team, [`M${index}`, '{teamId}']))
      return designOf({ Team, ...Object.fromEntries(mirrors.map((each) => [each.name, each])) })
    },
  ],
  [
    'no room for the job of copies in a transaction',
    'TransactionTooLarge',
    'Crowd',
    () => {
      const Crowd = entity('Crowd', {
        attributes: { crowdId: id(), teamId: ulid(), name: text() },
        key: ['TEAM#{teamId}', 'CROWD#{crowdId}'],
        refers: { teamId: Team },
      })
      const mirrors = Array.from({ length: 49 }, (_, index) => mirror(`C${index}`, Crowd, [`C${index}`, '{crowdId}']))
      const entities = { Team, Crowd, ...Object.fromEntries(mirrors.map((each) => [each.name, each])) }
      expect(prove(designOf(entities)).isProven).toBe(true)
      const Fan = entity('Fan', {
        attributes: { fanId: id(), crowdId: ulid(), teamId: ulid(), crowdName: text().from('crowdId', 'name') },
        key: ['TEAM#{teamId}', 'FAN#{fanId}'],
        refers: { crowdId: Crowd },
      })
      return designOf({ ...entities, Fan, FanOfCrowd: mirror('FanOfCrowd', Fan, ['CROWD_FANS#{teamId}#{crowdId}', 'FAN#{fanId}']) })
    },
  ],
  [
    'more references of a list than a transaction can check',
    'TransactionTooLarge',
    'Fan',
    () => {
      const fan = (max: number) =>
        entity('Fan', {
          attributes: { a: id(), teams: list(ulid(), { max }) },
          key: ['FAN#{a}', 'META'],
          refers: { teams: { each: Team } },
        })
      expect(prove(designOf({ Team, Fan: fan(99) })).isProven).toBe(true)
      return designOf({ Team, Fan: fan(100) })
    },
  ],
]

const unwise: typeof wrong = [
  [
    'a way back among other items',
    'MixedEnumeration',
    'Team',
    () => {
      const Plan = entity('Plan', {
        attributes: { planId: uuid().made(), teamId: ulid() },
        key: ['TEAM#{teamId}', '{planId}'],
        refers: { teamId: Team },
      })
      return designOf({ Team, Plan })
    },
  ],
  [
    'a mirror that two owners share',
    'SharedMirror',
    'TeamOfName',
    () => designOf({ Team, TeamOfName: mirror('TeamOfName', Team, ['TEAM_NAME#{name}', 'META']) }),
  ],
  ['an entity without a pattern', 'Unreached', 'Team', () => design({ name: 'small', table: 'small', entities: { Team }, patterns: {} })],
]

const inTeam = (name: string, attributes: Attributes, sort: string) =>
  entity(name, { attributes: { teamId: ulid(), ...attributes }, key: ['TEAM#{teamId}', sort as 'X'] })

const right: readonly (readonly [what: string, make: () => AnyDesign])[] = [
  ['ids of two kinds in one place', () => designOf({ A: inTeam('A', { x: ulid() }, '{x}'), B: inTeam('B', { x: uuid() }, '{x}') })],
  ['days and instants in one place', () => designOf({ A: inTeam('A', { x: day() }, '{x}'), B: inTeam('B', { x: instant() }, '{x}') })],
  ['disjoint enumerations', () => designOf({ A: inTeam('A', { x: oneOf('a', 'b') }, '{x}'), B: inTeam('B', { x: oneOf('c') }, '{x}') })],
  [
    'text that a pattern keeps apart',
    () => designOf({ A: inTeam('A', { x: text({ pattern: /^x-.*$/ }) }, '{x}'), B: inTeam('B', {}, 'y-') }),
  ],
  [
    'a text beside a longer key',
    () => designOf({ A: inTeam('A', { x: text({ pattern: /^[^#]+$/ }) }, 'P#{x}'), B: inTeam('B', { x: id() }, 'P#{x}#Q') }),
  ],
  ['whole segments beside a longer word', () => designOf({ Note, Tag: inTeam('Tag', { x: text() }, 'NOTE_TAG#{x}') }, notes)],
  [
    'days up to one, beside a word that follows all days',
    () => {
      const Due = entity('Due', { attributes: { teamId: ulid(), due: day() }, key: ['TEAM#{teamId}', '{due}'] })
      return designOf({ Due, Sum: inTeam('Sum', {}, 'SUM') }, { due: query('TEAM#{teamId}', atMost('{due}')).returns(Due) })
    },
  ],
  [
    'instants between two, beside words in their place',
    () => {
      const range = query('TEAM#{teamId}', between('NOTE#{from}', 'NOTE#{to}')).returns(Note)
      return designOf({ Note, Sum: inTeam('Sum', {}, 'NOTE#SUM'), Head: inTeam('Head', {}, 'NOTE#!') }, { range })
    },
  ],
  [
    'an absent id of a kind that is no word',
    () => designOf({ Role: entity('Role', { attributes: { c: uuid().optional(), r: id() }, key: ['CLIENT#{c}|SYSTEM', 'ROLE#{r}'] }) }),
  ],
  [
    'alternatives that are never used together',
    () => {
      const Role = entity('Role', { attributes: { c: uuid().optional(), r: id() }, key: ['ROLE#{r}', 'OF#{c}|SYSTEM'] })
      const Root = entity('Root', { attributes: { c: uuid().optional(), r: id() }, key: ['OWNED#{c}#{r}|FREE#{r}', 'OF#{c}|SYSTEM'] })
      const Lost = entity('Lost', { attributes: { c: uuid(), r: id() }, key: ['OWNED#{c}#{r}', 'SYSTEM'] })
      return designOf({ Role, Root, Lost })
    },
  ],
  [
    'a copy of what is fixed in a key',
    () => {
      const Town = entity('Town', { attributes: { townId: id(), land: text() }, key: ['TOWN#{townId}', 'META'], fixed: ['land'] })
      const House = entity('House', {
        attributes: { houseId: id(), townId: ulid(), land: text().from('townId') },
        key: ['TOWN#{townId}', 'HOUSE#{houseId}#{land}'],
        refers: { townId: Town },
      })
      return designOf({ Town, House })
    },
  ],
  [
    'an addition in a range of an addition',
    () => {
      const Draft = entity('Draft', {
        attributes: { teamId: ulid(), x: id() },
        key: ['TEAM#{teamId}', 'DRAFT#{x}'],
        addition: { why: 'drafts' },
      })
      return designOf({ Note, Draft }, { ...notes, drafts: query('TEAM#{teamId}', beginsWith('DRAFT#')).returns(Draft) })
    },
  ],
]

describe('a design that is right', () => {
  test.each(right)('%s', (_, make) => {
    expect(prove(make()).findings).toEqual([])
  })
})

describe('a design that is wrong in one way', () => {
  test.each(wrong)('%s is %s, and nothing else', (_, code, subject, make) => {
    const { isProven, findings } = prove(make())
    const errors = findings.filter(({ severity }) => severity === 'error')
    expect(isProven).toBe(false)
    expect([...new Set(errors.map((each) => each.code))]).toEqual([code])
    expect(errors.map((each) => each.subject)).toContain(subject)
  })

  test.each(unwise)('%s is %s: a warning, and proven', (_, code, subject, make) => {
    const { isProven, findings } = prove(make())
    expect(isProven).toBe(true)
    expect(findings.map((each) => [each.code, each.severity, each.subject])).toEqual([[code, 'warning', subject]])
  })

  test('has a case for every code', () => {
    expect([...new Set([...wrong, ...unwise].map(([, code]) => code))].sort()).toEqual(Object.keys(findingCodes).sort())
  })
})
