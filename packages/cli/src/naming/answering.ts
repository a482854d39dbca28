import { type Decider, type Offer, offers } from '@freehold/designs'
import { FreeholdError } from '@freehold/table'
import { listed } from '../output/listed.ts'

/** An offer that comes with decisions. */
export interface Answering extends Offer {
  decider: NonNullable<Offer['decider']>
}

function answers(offer: Offer): offer is Answering {
  return offer.decider !== undefined
}

/** The offer as one that answers questions. Throws `UnknownName` for a design that has none, and names those that do. */
export function answering(offer: Offer): Answering {
  if (answers(offer)) return offer
  const { name } = offer.design
  const others = [...offers.values()].filter(answers).map(({ design }) => design.name)
  throw new FreeholdError(
    'UnknownName',
    `${name} answers no questions: it has entities and access patterns, see \`freehold patterns ${name}\`. Questions are for ${listed(others)}.`,
    { design: name },
  )
}

/** The same decider, which also gives snapshots of access. Throws `UnknownName` for one that gives none. */
export function snapshotting({ design: { name } }: Offer, decider: Decider): Decider & Required<Pick<Decider, 'access'>> {
  const { access } = decider
  if (access !== undefined) return { ...decider, access }
  const message = `${name} gives no snapshots of access: ask \`freehold can ${name}\` each time, or \`freehold what ${name}\`.`
  throw new FreeholdError('UnknownName', message, { design: name })
}
