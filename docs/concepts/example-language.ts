import {
  atMost,
  beginsWithPart,
  code,
  dependingOn,
  design,
  edge,
  entity,
  equals,
  FreeholdError,
  flag,
  get,
  isFreeholdError,
  mirror,
  moving,
  number,
  oneOf,
  opaqueId,
  phone,
  query,
  queryOn,
  record,
  type Table,
  text,
  ulid,
  unless,
  username,
  verbatim,
  without,
} from '@freehold/table'
import { above, and, contains, entry, exists, numberSet, removeFrom } from '@freehold/table/atomic'
import { describeProof, prove, proving } from '@freehold/table/prove'
import { cloudFormation, describeDesign, differences, lockOf, lockText, readLock, terraform } from '@freehold/table/publish'
import { faultySender } from '@freehold/table/testing'

// An example of each function of the language that no other page shows. The pages of functions take theirs from here, too.

export const Hall = entity('Hall', { attributes: { hallId: ulid().made(), name: text() }, key: ['HALL#{hallId}', 'META'] })

export const Visitor = entity('Visitor', {
  attributes: {
    visitorId: opaqueId().made(),
    username: username(),
    phone: phone().optional(),
    badge: code(),
    isStaff: flag().made(false),
    tickets: number({ min: 0, integer: true }),
    address: record({ street: text(), city: text() }).optional(),
    signature: verbatim().optional(),
    bonus: numberSet(),
    seats: number().optional(),
  },
  key: ['VISITOR#{visitorId}', 'META'],
  indexes: { GSI1: ['BADGE#{badge}', 'VISITOR#{visitorId}'] },
})

/** A floor of a building, or, without a name, the whole of it. */
export const Area = entity('Area', {
  attributes: { building: text(), floor: text().optional(), words: text() },
  key: ['BUILDING#{building}', 'FLOOR#{floor}|META'],
})

/** A stand is on a floor, or, on `all`, has the whole building. */
export const Stand = entity('Stand', {
  attributes: { standId: ulid().made(), building: text(), floor: text(), row: text() },
  key: ['STANDS#{row}', 'STAND#{standId}'],
  refers: { building: { to: Area, by: { floor: unless('floor', 'all') } } },
})

/** Without it no Area could be removed with its stands. */
export const StandOfArea = mirror('StandOfArea', Stand, ['AREA_STANDS#{building}#{floor}', 'STAND#{standId}'])

/** A note is of a visitor, or of a hall. */
export const Note = entity('Note', {
  attributes: { noteId: ulid().made(), of: oneOf('visitor', 'hall'), id: text(), words: text() },
  key: ['NOTES#{of}#{id}', 'NOTE#{noteId}'],
  refers: { id: dependingOn('of', { visitor: Visitor, hall: Hall }) },
})

export const { Visit, VisitorOfHall } = edge({
  ends: { visitorId: Visitor, hallId: Hall },
  attributes: {},
  items: { Visit: ['VISITOR#{visitorId}', 'HALL#{hallId}'], VisitorOfHall: ['HALL#{hallId}', 'VISITOR#{visitorId}'] },
})

export const fair = design({
  name: 'fair',
  table: 'fair',
  entities: { Hall, Visitor, Area, Stand, StandOfArea, Note, Visit, VisitorOfHall },
  features: { notes: [Note] },
  patterns: {
    visitor: get(Visitor),
    hall: get(Hall),
    area: get(Area),
    visitorOfHall: query('HALL#{hallId}', equals('VISITOR#{visitorId}')).returns(VisitorOfHall),
    hallsOfVisitor: query('VISITOR#{visitorId}', beginsWithPart('HALL#{begins}')).returns(Visit),
    standsUntil: query('STANDS#{row}', atMost('STAND#{last}')).returns(Stand),
    visitorsByBadge: queryOn('GSI1', 'BADGE#{badge}').returns(Visitor),
    standsOfArea: query('AREA_STANDS#{building}#{floor}').returns(StandOfArea),
    notes: query('NOTES#{of}#{id}').returns(Note),
  },
})

/** Everything but notes. */
export const fairWithoutNotes = without(fair, 'notes')

/** What is said of a design, and of a change of it. */
export function published() {
  const lock = lockOf(fair)
  const kept = lockText(lock)
  return {
    kept,
    proof: describeProof(prove(fair)),
    parts: [...proving(fair)].length,
    page: describeDesign(fair),
    changes: differences(readLock(JSON.parse(kept)), lock),
    cloudFormation: cloudFormation(fair),
    terraform: terraform(fair),
  }
}

/** Changes on conditions. */
export async function visited(table: Table<typeof fair>, visitorId: string, stand: { readonly row: string; readonly standId: string }) {
  const where = and({ tickets: above(0) }, { address: exists() }, { bonus: contains(7) })
  const { items } = await table.visitorsByBadge({ badge: 'GOLD' }, { where })
  const inLeeds = await table.visitorsByBadge({ badge: 'GOLD' }, { where: { address: entry('city', equals('Leeds')) } })
  await table.Visitor.update({ visitorId }, { bonus: removeFrom(7) })
  await table.transact({ stand: moving(Stand, stand, { row: 'B' }) })
  return { items, inLeeds }
}

/** An error of a program's own, by a code of the language. */
export const refused = (words: string) => new FreeholdError('CheckFailed', words, { reason: 'Closed' })
export const isRefusal = (error: unknown) => isFreeholdError(error, 'CheckFailed')

/** A sender that loses an answer. */
export const losing = (sender: Parameters<typeof faultySender>[0]) => faultySender(sender, [{ fault: { kind: 'lose-answer' } }])
