import type { Offer } from './decision/decision.ts'
import { decideRebac } from './rebac/decide.ts'
import { rebac } from './rebac/design.ts'

/** The finished designs, by name. */
export const offers: ReadonlyMap<string, Offer> = new Map<string, Offer>([
  [
    rebac.name,
    {
      design: rebac,
      summary: 'People, locations, groups, roles and pages: relationship-based access without an index.',
      decider: decideRebac,
    },
  ],
])
