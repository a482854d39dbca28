import {
  atMost,
  beginsWith,
  between,
  type Change,
  count,
  day,
  design,
  edge,
  entity,
  equals,
  get,
  type Id,
  type Item,
  list,
  map,
  mirror,
  type New,
  number,
  oneOf,
  type Pattern,
  query,
  queryOn,
  record,
  stamp,
  text,
  ulid,
  unique,
  uuid,
} from '../../src/language.ts'
import { EmailIdentity, edges, Location, LocationUserEdge, User, UserGroup, UserGroupEdge, UserLocationEdge } from '../edges.ts'

// Every line after an expected error is a misuse. What follows `says:` stands in the compiler's message: a test compiles this file
// without the expectations and compares.

const License = entity('License', {
  attributes: { id: text(), status: oneOf('active', 'expired'), endDate: day() },
  key: ['LICENSE#{id}', 'META'],
  indexes: { GSI3: ['LICENSE#STATUS#{status}', '{endDate}#{id}'] },
})
const expiringLicenses = queryOn('GSI3', 'LICENSE#STATUS#active', atMost('{date}')).returns(License)
type Patterns = (typeof edges)['patterns']
type ParametersOf<P> = P extends Pattern<infer A, unknown> ? A : never
type ResultOf<P> = P extends Pattern<never, infer R> ? R : never
const from = <T>(value: T): T => value

// Placeholders that name nothing, or no text

// @ts-expect-error says: {rolename} in 'ROLE#{rolename}' is not an attribute of Role
entity('Role', { attributes: { roleName: text() }, key: ['ROLE#{rolename}', 'META'] })
// @ts-expect-error says: {nope} in 'X#{nope}' is not an attribute of Role
entity('Role', { attributes: { roleName: text() }, key: ['ROLE#{roleName}', 'META'], indexes: { GSI1: ['X#{nope}', 'Y'] } })
// @ts-expect-error says: {nope} in 'CLIENT#{id}|SYSTEM#{nope}' is not an attribute of Role
entity('Role', { attributes: { id: uuid() }, key: ['CLIENT#{id}|SYSTEM#{nope}', 'META'] })
// @ts-expect-error says: {seats} in 'SEATS#{seats}' is not text: a key holds text only
entity('Licence', { attributes: { id: uuid(), seats: count() }, key: ['LICENSE#{id}', 'SEATS#{seats}'] })
// @ts-expect-error says: {tags} in 'TAG#{tags}' is not text: a key holds text only
entity('Note', { attributes: { id: uuid(), tags: list(text()) }, key: ['NOTE#{id}', 'META'], indexes: { GSI1: ['TAG#{tags}', 'X'] } })
// @ts-expect-error says: {more} in 'MORE#{more}' is not text: a key holds text only
entity('Note', { attributes: { id: uuid(), more: map() }, key: ['MORE#{more}', 'META'] })
// @ts-expect-error says: not assignable to type '"id" | "name"'
entity('Note', { attributes: { id: uuid(), name: text() }, key: ['NOTE#{id}', 'META'], fixed: ['nam'] })
// @ts-expect-error says: not assignable to type '"id" | "name"'
entity('Note', { attributes: { id: uuid(), name: text() }, key: ['NOTE#{id}', 'META'], expires: 'until' })
// @ts-expect-error says: 'owner_id' does not exist in type
entity('Note', { attributes: { id: uuid(), owner: ulid() }, key: ['NOTE#{id}', 'META'], refers: { owner_id: User } })

// Guards and mirrors

// @ts-expect-error says: {code} in 'CODE#{code}' is not an attribute of Lookup
unique('Lookup', Location, ['CODE#{code}', 'META'], ['locationId'])
// @ts-expect-error says: Type '"locationID"' is not assignable to type
unique('Lookup', Location, ['CODE#{locationCode}', 'META'], ['locationID'])
// @ts-expect-error says: {floor} in 'FLOOR#{floor}' is not an attribute of Floor
mirror('Floor', Location, ['LOCATION#{locationId}', 'FLOOR#{floor}'])

// Edges

// @ts-expect-error says: Did you mean '"userId.displayName"'
edge({ ends: { userId: User }, attributes: {}, items: { E1: ['USER#{userId}', 'X'] }, copies: { E1: { n: 'userId.displayNam' } } })
// @ts-expect-error says: {x} in 'X#{x}' is not an attribute of E1
edge({ ends: { userId: User }, attributes: {}, items: { E1: ['USER#{userId}', 'X#{x}'] } })
// @ts-expect-error says: E2 is not an item of this edge
edge({ ends: { userId: User }, attributes: {}, items: { E1: ['USER#{userId}', 'X'] }, copies: { E2: { n: 'userId.displayName' } } })
// @ts-expect-error says: 'E2' does not exist in type
edge({ ends: { userId: User }, attributes: {}, items: { E1: ['USER#{userId}', 'X'] }, additions: { E2: 'never' } })
// @ts-expect-error says: is not assignable to type 'End'
edge({ ends: { userId: 'User' }, attributes: {}, items: { E1: ['USER#{userId}', 'X'] } })

// Results that cannot lie in the range of their pattern

// @ts-expect-error says: LocationUserEdge is not in partition 'USER#{userId}': its partition key is 'LOCATION#{locationId}'
query('USER#{userId}', beginsWith('LOCATION#')).returns(LocationUserEdge)
// @ts-expect-error says: UserLocationEdge is never under 'GROUP#': its sort key is 'LOCATION#{locationId}'
query('USER#{userId}', beginsWith('GROUP#')).returns(UserLocationEdge)
// @ts-expect-error says: UserLocationEdge is never under 'GROUP#': its sort key is 'LOCATION#{locationId}'
query('USER#{userId}', beginsWith('GROUP#')).returns(UserGroupEdge, UserLocationEdge)
// @ts-expect-error says: User is never under 'METADATA': its sort key is 'META'
query('USER#{userId}', equals('METADATA')).returns(User)
// @ts-expect-error says: User has no key in GSI1
queryOn('GSI1', 'USER#{userId}').returns(User)
// @ts-expect-error says: License is not in partition 'LICENSE#STATUS#active#now': its partition key is 'LICENSE#STATUS#{status}'
queryOn('GSI3', 'LICENSE#STATUS#active#now', atMost('{date}')).returns(License)
// @ts-expect-error says: License is never under '{from}#{to}#{more}': its sort key is '{endDate}#{id}'
queryOn('GSI3', 'LICENSE#STATUS#active', between('{from}#{to}#{more}', '{to}')).returns(License)
// @ts-expect-error says: UserLocationEdge has no attribute locationID to filter by
query('USER#{userId}', beginsWith('LOCATION#')).where('locationID').returns(UserLocationEdge)
// @ts-expect-error says: User has no attribute groupType to filter by
query('USER#{userId}').optionally('groupType').returns(User, UserGroupEdge)
// @ts-expect-error says: is not assignable to parameter of type 'Entity<
get('User')

// Parameters and results

// @ts-expect-error says: Property 'userId' is missing
from<ParametersOf<Patterns['locationsOfUser']>>({})
// @ts-expect-error says: 'userID' does not exist in type
from<ParametersOf<Patterns['locationsOfUser']>>({ userID: 'x' })
// @ts-expect-error says: Type '"BOSS"' is not assignable to type '"LEAD" | "MEMBER"'
from<ParametersOf<Patterns['leadsOfLocation']>>({ locationId: 'x', userType: 'BOSS' })
// @ts-expect-error says: Type 'Date' is not assignable to type 'string'
from<ParametersOf<typeof expiringLicenses>>({ date: new Date() })
// @ts-expect-error says: Property 'nothing' does not exist
edges.patterns.nothing
// @ts-expect-error says: Property 'userDisplayName' does not exist
export const wrongSide = (found: ResultOf<Patterns['locationsOfUser']>) => found.userDisplayName
// @ts-expect-error says: Property 'displayName' does not exist on type
export const undispatched = (found: ResultOf<Patterns['all']>) => found.displayName

// Items

// @ts-expect-error says: Property 'displayName' is missing
from<New<typeof User>>({ userType: 'LEAD' })
// @ts-expect-error says: Type '"BOSS"' is not assignable to type '"LEAD" | "MEMBER" | undefined'
from<New<typeof User>>({ displayName: 'x', userType: 'BOSS' })
// @ts-expect-error says: 'groupName' does not exist in type
from<New<typeof UserGroupEdge>>({ userId: 'u', groupId: 'g', groupName: 'no' })
// @ts-expect-error says: 'id' does not exist in type
from<Id<typeof User>>({ id: 'x' })
// @ts-expect-error says: Type 'null' is not assignable to type 'string | undefined'
from<Change<typeof User>>({ displayName: null })
// @ts-expect-error says: 'version' does not exist in type
from<Change<typeof User>>({ version: 2 })
// @ts-expect-error says: Type '"Person"' is not assignable to type '"User"'
export const wrongType: Item<typeof User>['Type'] = 'Person'
// @ts-expect-error says: Type 'string | undefined' is not assignable to type 'string'
export const copied = (edge: Item<typeof UserGroupEdge>): string => edge.groupName

// Attributes

// @ts-expect-error says: Argument of type '"3"' is not assignable to parameter of type
count().made('3')
// @ts-expect-error says: Argument of type '"TUTOR"' is not assignable to parameter of type
oneOf('TEACHER', 'VOLUNTEER').made('TUTOR')
// @ts-expect-error says: Type 'string' is not assignable to type 'number'
number({ min: '0' })
// @ts-expect-error says: Type '{ module: string; }' is missing
record({ module: text(), action: text(), resource: text() }).made({ module: 'm' })
// @ts-expect-error says: Property 'onRead' does not exist
stamp.onRead()
// @ts-expect-error says: Type 'Date' is not assignable to type 'string'
day().made(({ now }) => now)

// Designs

// @ts-expect-error says: is not assignable to type 'true
design({ name: 'd', table: 't', noIndexes: false, entities: { User, UserGroup, EmailIdentity }, patterns: {} })
// @ts-expect-error says: is missing the following properties from type 'Pattern<
design({ name: 'd', table: 't', entities: { User }, patterns: { user: query('USER#{userId}') } })
