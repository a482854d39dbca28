import { describe, expect, test } from 'vitest'
import * as ag from '../../test/agency/design.ts'
import * as de from '../../test/depot/design.ts'
import * as re from '../../test/edges.ts'
import { design, entity, mirror, ulid } from '../language.ts'
import type { AnyDesign } from './design.ts'
import type { Entity } from './form.ts'
import type { Dependant, Known, KnownAttributes } from './relations.ts'

/** One line for each thing that hangs on an item: what, what becomes of it, and the query that finds it. */
function dependants({ form }: AnyDesign, target: Entity): string[] {
  return form.dependantsOf(target).map(shown)
}

function shown({ kind, onRemove, entity: of, reference, enumeration }: Dependant): string {
  const through = reference === undefined ? '' : ` by ${reference.attribute}`
  if (enumeration === undefined) return `${kind} ${of.name}${through}, ${onRemove}: not to be found`
  const { side, partition, sortPrefix, filters } = enumeration
  const known = ({ attribute, otherwise }: Known) =>
    [attribute && `its ${attribute}`, otherwise && `'${otherwise}'`].filter((each) => each !== undefined).join(' or ')
  const pairs = (record: KnownAttributes) => Object.entries(record).map(([own, theirs]) => `${own} = ${known(theirs)}`)
  const where = Object.keys(filters).length === 0 ? '' : ` where ${pairs(filters).join(' and ')}`
  return `${kind} ${of.name}${through}, ${onRemove}: ${side.name} with ${pairs(partition).join(' and ')} under '${sortPrefix}'${where}`
}

function followers({ form }: AnyDesign, target: Entity): string[] {
  return form
    .followersOf(target)
    .map(
      ({ side, copies }) =>
        `${side.name}: ${copies.map(({ attribute, from, through }) => `${attribute} from ${from} through ${through}`).join(', ')}`,
    )
}

describe('of edges', () => {
  test('what hangs on a user is found from the user', () => {
    expect(dependants(re.edges, re.User)).toEqual([
      "edge EmailIdentity by userId, cascade: UserEmailEdge with userId = its userId under 'EMAIL#'",
      "edge UserLocationEdge by userId, cascade: UserLocationEdge with userId = its userId under 'LOCATION#'",
      "edge UserGroupEdge by userId, cascade: UserGroupEdge with userId = its userId under 'GROUP#'",
    ])
  })

  test('what hangs on a location is its users, and its groups by their mirror', () => {
    expect(dependants(re.edges, re.Location)).toEqual([
      "edge UserLocationEdge by locationId, cascade: LocationUserEdge with locationId = its locationId under 'USER#'",
      "reference UserGroup by locationId, cascade: LocationGroup with locationId = its locationId under 'GROUP#'",
    ])
  })

  test('leaving a location leaves the groups that are there', () => {
    expect(dependants(re.edges, re.UserLocationEdge)).toEqual([
      "within UserGroupEdge, cascade: UserGroupEdge with userId = its userId under 'GROUP#' where locationId = its locationId",
    ])
    expect(dependants(re.edges, re.LocationUserEdge)).toEqual(dependants(re.edges, re.UserLocationEdge))
  })

  test('copies follow on the side that has them', () => {
    expect(followers(re.edges, re.User)).toEqual([
      'LocationUserEdge: userDisplayName from displayName through userId, userType from userType through userId',
      'GroupUserEdge: userDisplayName from displayName through userId',
    ])
    expect(followers(re.edges, re.UserGroup)).toEqual([
      'UserGroupEdge: locationId from locationId through groupId, groupType from groupType through groupId, groupName from name through groupId',
    ])
    expect(followers(re.edges, re.Location)).toEqual([
      'UserLocationEdge: locationCode from locationCode through locationId, locationName from name through locationId',
    ])
    expect(followers(re.edges, re.UserGroupEdge)).toEqual([])
  })
})

describe('of references', () => {
  test('a room hangs on its site, and what refers to its mirror hangs on the room itself, copies of copies too', () => {
    expect(dependants(de.depot, de.Site)).toEqual([
      "edge PersonSite by site, cascade: SitePerson with site = its site under 'PERSON#'",
      "reference Room by site, cascade: Room with site = its site under 'ROOM#'",
    ])
    expect(dependants(de.depot, de.Room)).toEqual([
      "edge PersonRoom by room, cascade: RoomPerson with room = its id under 'PERSON#'",
      "reference Sensor by room, cascade: Sensor with room = its id under 'SENSOR#'",
    ])
    expect(dependants(de.depot, de.RoomPlace)).toEqual([])
    expect(followers(de.depot, de.Room)).toEqual([
      'PersonRoom: site from site through room, roomName from name through room',
      'Sensor: place from region through room',
    ])
  })

  test('what hangs on a person goes with it, stays, or keeps it from going', () => {
    expect(dependants(de.depot, de.Person)).toEqual([
      "edge PersonSite by id, cascade: PersonSite with id = its id under 'SITE#'",
      "edge PersonRoom by id, cascade: PersonRoom with id = its id under 'ROOM#'",
      "edge PersonBadge by id, cascade: PersonBadge with id = its id under 'BADGE#'",
      "reference Task by person, refuse: TaskOfPerson with person = its id under 'TASK#'",
      "reference Remark by person, keep: RemarkOfPerson with person = its id under 'REMARK#'",
      "reference Session by person, cascade: Session with person = its id under 'SESSION#'",
    ])
  })

  test('what may be of either kind is looked for among those of this kind, and what may lie in either of two partitions in the one that it is in', () => {
    expect(dependants(ag.agency, ag.Firm)).toEqual([
      "reference Site by firm_id, cascade: Site with firm_id = its id under 'SITE#'",
      "reference Skill by firm_id, cascade: Skill with firm_id = its id under 'SKILL#'",
      "reference Post by place_id, cascade: PlacePost with place_type = 'firm' and place_id = its id under 'POST#'",
    ])
    expect(dependants(ag.agency, ag.Skill)).toEqual([
      "edge SkillTool by skill_id, cascade: SkillTool with skill_id = its id under 'TOOL#' where firm_id = its firm_id",
      "reference Skill by parent_id, refuse: Skill with firm_id = its firm_id under 'SKILL#' where parent_id = its id",
      "reference Post by skill_id, refuse: SkillPost with skill_id = its id under 'POST#' where skill_owner = its firm_id or 'SHARED'",
    ])
    expect(followers(ag.agency, ag.Firm)).toEqual(['Post: firm_id from id through place_id, place_name from name through place_id'])
  })
})

test('what only an index would find is not found', () => {
  const { Tool } = ag
  const Visit = entity('Visit', {
    attributes: { id: ulid(), tool_id: ulid() },
    key: ['VISIT#{id}', 'META'],
    indexes: { GSI1: ['TOOL#{tool_id}', 'VISIT#{id}'] },
    refers: { tool_id: { to: Tool, onRemove: 'refuse' } },
  })
  const visits = design({ name: 'visits', table: 'visits', entities: { Tool, Visit }, patterns: {} })
  expect(dependants(visits, Tool)).toEqual(['reference Visit by tool_id, refuse: not to be found'])
})

test('a target that may lack a part of its key is found without that part', () => {
  const Holder = entity('Holder', {
    attributes: { id: ulid(), skill_id: ulid() },
    key: ['HOLDER#{id}', 'SKILL#{skill_id}'],
    refers: { skill_id: ag.Skill },
  })
  const SkillHolder = mirror('SkillHolder', Holder, ['HELD#{skill_id}', 'HOLDER#{id}'])
  const { Firm, Skill } = ag
  const holding = design({ name: 'holding', table: 'holding', entities: { Firm, Skill, Holder, SkillHolder }, patterns: {} })
  expect(dependants(holding, Skill).at(-1)).toBe(
    "reference Holder by skill_id, cascade: SkillHolder with skill_id = its id under 'HOLDER#'",
  )
})

test('guards and mirrors belong to their owner', () => {
  const names = (of: AnyDesign, owner: Entity) => of.form.derivedItemsOf(owner).map(({ name }) => name)
  expect(names(de.depot, de.Person)).toEqual(['PersonEmail', 'PersonHandle', 'PersonEntry'])
  expect(names(ag.agency, ag.Post)).toEqual(['PlacePost', 'SkillPost'])
  expect(names(de.depot, de.PersonEmail)).toEqual([])
})

test('a design knows its indexes, and whether its items expire', () => {
  expect(de.depot.form.indexes).toEqual(['GSI1', 'GSI2'])
  expect(ag.agency.form.indexes).toEqual(['GSI1'])
  expect(re.edges.form.indexes).toEqual([])
  expect([de.depot, ag.agency].map(({ form }) => form.expires)).toEqual([true, false])
  expect(de.SessionById.form.expires).toBe('until')
})
