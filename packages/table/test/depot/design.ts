import {
  atLeast,
  atMost,
  beginsWith,
  beginsWithPart,
  between,
  code,
  day,
  design,
  edge,
  email,
  entity,
  equals,
  get,
  instant,
  mirror,
  number,
  oneOf,
  opaqueId,
  query,
  queryOn,
  stamp,
  text,
  unique,
  username,
} from '../../src/language.ts'

// A design that has everything: what one entity of a real design needs, some entity here has.

const stamps = { createdAt: stamp.onCreate(), touchedAt: stamp.onWrite() }

/** Two indexes with compound keys of optional attributes, guards of a given and of an optional value, a mirror, a secret. */
export const Person = entity('Person', {
  attributes: {
    id: opaqueId().made(),
    email: email(),
    handle: username().optional(),
    team: text().optional(),
    rank: oneOf('junior', 'senior').made('junior'),
    hired: day().optional(),
    city: text().optional(),
    size: number().optional(),
    password: text().optional().secret(),
    ...stamps,
  },
  key: ['PERSON#{id}', 'META'],
  indexes: {
    GSI1: ['TEAM#{team}', 'PERSON#{rank}#{hired}#{id}'],
    GSI2: ['CITY#{city}|NOWHERE', '{email}#{id}|{id}'],
  },
})
export const PersonEmail = unique('PersonEmail', Person, ['EMAIL#{email}', 'EMAIL#{email}'], ['rank'])
export const PersonHandle = unique('PersonHandle', Person, ['HANDLE#{handle}', 'HANDLE#{handle}'])
export const PersonEntry = mirror('PersonEntry', Person, ['DIRECTORY#PERSON', 'PERSON#{id}'], ['handle', 'email'])

/** Its key is a name, so that another may take it when it is gone. */
export const Site = entity('Site', {
  attributes: { site: code(), name: text(), region: text().optional() },
  key: ['SITE#{site}', 'META'],
})

/** Goes with its site, and has a copy of it in an index key and on a mirror. */
export const Room = entity('Room', {
  attributes: { id: opaqueId().made(), site: code(), name: text(), region: text().from('site') },
  key: ['SITE#{site}', 'ROOM#{id}'],
  indexes: { GSI1: ['REGION#{region}', 'ROOM#{name}#{id}'] },
  refers: { site: Site },
})
export const RoomPlace = mirror('RoomPlace', Room, ['ROOM#{id}', 'META'], ['name', 'region'])

/** Copies a copy. */
export const Sensor = entity('Sensor', {
  attributes: { id: opaqueId().made(), room: opaqueId(), place: text().from('room', 'region'), reading: number().optional() },
  key: ['ROOM#{room}', 'SENSOR#{id}'],
  indexes: { GSI2: ['REGION#{place}', 'SENSOR#{id}'] },
  refers: { room: RoomPlace },
})
export const SensorById = mirror('SensorById', Sensor, ['SENSOR#{id}', 'META'], ['place'])

/** Copies on both sides. */
export const { PersonSite, SitePerson } = edge({
  ends: { id: Person, site: Site },
  attributes: { joinedAt: stamp.onCreate(), remark: text().optional() },
  items: { PersonSite: ['PERSON#{id}', 'SITE#{site}'], SitePerson: ['SITE#{site}', 'PERSON#{id}'] },
  copies: { PersonSite: { siteName: 'site.name' }, SitePerson: { personRank: 'id.rank', personHandle: 'id.handle' } },
})

/** Only for who is at the room's site. */
export const { PersonRoom, RoomPerson } = edge({
  ends: { id: Person, room: RoomPlace },
  within: PersonSite,
  attributes: { since: stamp.onCreate() },
  items: { PersonRoom: ['PERSON#{id}', 'ROOM#{room}'], RoomPerson: ['ROOM#{room}', 'PERSON#{id}'] },
  copies: { PersonRoom: { site: 'room.site', roomName: 'room.name' }, RoomPerson: { personRank: 'id.rank' } },
})

/** One side's key has an attribute that the other's has not, and that may change. */
export const { PersonBadge, BadgeShelf } = edge({
  ends: { id: Person },
  attributes: { badge: opaqueId(), shelf: text() },
  items: { PersonBadge: ['PERSON#{id}', 'BADGE#{badge}'], BadgeShelf: ['SHELF#{shelf}', 'BADGE#{badge}'] },
})

/** Keeps its person from being removed. */
export const Task = entity('Task', {
  attributes: { id: opaqueId().made(), person: opaqueId(), title: text() },
  key: ['TASK#{id}', 'META'],
  refers: { person: { to: Person, onRemove: 'refuse' } },
})
export const TaskOfPerson = mirror('TaskOfPerson', Task, ['PERSON#{person}', 'TASK#{id}'])

/** Stays when its person goes; may be without one. */
export const Remark = entity('Remark', {
  attributes: { id: opaqueId().made(), person: opaqueId().optional(), rank: text().from('person'), text: text() },
  key: ['REMARK#{id}', 'META'],
  refers: { person: { to: Person, onRemove: 'keep' } },
})
export const RemarkOfPerson = mirror('RemarkOfPerson', Remark, ['REMARKS#{person}', 'REMARK#{id}'])

/** Ends at an instant, with its guard and its mirror. */
export const Session = entity('Session', {
  attributes: { id: opaqueId().made(), person: opaqueId(), startedAt: instant().made(), token: text().optional(), until: instant() },
  key: ['PERSON#{person}', 'SESSION#{startedAt}#{id}'],
  refers: { person: Person },
  expires: 'until',
})
export const SessionToken = unique('SessionToken', Session, ['TOKEN#{token}', 'TOKEN#{token}'])
export const SessionById = mirror('SessionById', Session, ['SESSION#{id}', 'META'])

/** Written once; of a person or of none. */
export const Log = entity('Log', {
  attributes: { id: opaqueId().made(), person: opaqueId().optional(), at: instant().made(), text: text(), until: instant() },
  key: ['LOGS#{person}|SYSTEM', 'LOG#{at}#{id}'],
  appendOnly: true,
  expires: 'until',
})

/** Moves from owner to owner, and to none. */
export const Policy = entity('Policy', {
  attributes: { id: opaqueId().made(), owner: opaqueId().optional(), name: text(), body: text().optional() },
  key: ['OWNER#{owner}|SYSTEM', 'POLICY#{id}'],
  indexes: { GSI1: ['OWNER#{owner}', 'POLICY#{name}'] },
  fixed: ['id'],
})
export const PolicyName = unique('PolicyName', Policy, ['POLICY_NAME#{owner}#{name}|POLICY_NAME#SYSTEM#{name}', 'META'], ['body'])

export const depot = design({
  name: 'depot',
  table: 'depot',
  entities: {
    Person,
    PersonEmail,
    PersonHandle,
    PersonEntry,
    Site,
    Room,
    RoomPlace,
    Sensor,
    SensorById,
    PersonSite,
    SitePerson,
    PersonRoom,
    RoomPerson,
    PersonBadge,
    BadgeShelf,
    Task,
    TaskOfPerson,
    Remark,
    RemarkOfPerson,
    Session,
    SessionToken,
    SessionById,
    Log,
    Policy,
    PolicyName,
  },
  patterns: {
    person: get(Person),
    directory: query('DIRECTORY#PERSON').returns(PersonEntry),
    teamOf: queryOn('GSI1', 'TEAM#{team}').returns(Person),
    rankOfTeam: queryOn('GSI1', 'TEAM#{team}', beginsWith('PERSON#{rank}')).returns(Person),
    hiredBy: queryOn('GSI1', 'TEAM#{team}', atMost('PERSON#{rank}#{by}')).returns(Person),
    hiredBetween: queryOn('GSI1', 'TEAM#{team}', between('PERSON#{rank}#{from}', 'PERSON#{rank}#{to}')).returns(Person),
    cityOf: queryOn('GSI2', 'CITY#{city}').returns(Person),
    cityFrom: queryOn('GSI2', 'CITY#{city}', atLeast('{first}')).returns(Person),
    cityUpTo: queryOn('GSI2', 'CITY#{city}', atMost('{last}')).returns(Person),
    site: get(Site),
    roomsOfSite: query('SITE#{site}', beginsWith('ROOM#')).returns(Room),
    peopleOfSite: query('SITE#{site}', beginsWith('PERSON#')).optionally('personRank').returns(SitePerson),
    allOfSite: query('SITE#{site}').returns(Site, Room, SitePerson),
    isAtSite: query('SITE#{site}', equals('PERSON#{id}')).returns(SitePerson),
    sensorsOfRoom: query('ROOM#{room}', beginsWithPart('SENSOR#{part}')).returns(Sensor),
    sensorsUpTo: query('ROOM#{room}', atMost('SENSOR#{last}')).returns(Sensor),
    remarksOfPerson: query('REMARKS#{person}').returns(RemarkOfPerson),
    sessionsSince: query('PERSON#{person}', atLeast('SESSION#{since}')).descending().returns(Session),
    sessionsUntil: query('PERSON#{person}', atMost('SESSION#{last}')).returns(Session),
    logs: query('LOGS#{person}', between('LOG#{from}', 'LOG#{to}')).returns(Log),
    systemLogs: query('SYSTEM', beginsWith('LOG#')).returns(Log),
    systemPolicies: query('SYSTEM', beginsWith('POLICY#')).returns(Policy),
  },
})
