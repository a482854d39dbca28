import type { Stored } from '@freehold/table/runtime'
import { type Grants, heldAt, usersOf } from './grants.ts'
import type { Outcome } from './perform.ts'
import { isChanged } from './race.ts'
import type { Step } from './step.ts'

interface Happened {
  readonly step: Step
  readonly outcome: Outcome
  readonly before: Grants | undefined
  readonly after: Grants | undefined
  /** Assignments of the client as they were before the step, and as they are now. */
  readonly there: readonly Stored[]
  readonly now_there: readonly Stored[]
}

/** Further goals of a course, so that no check of times and moves is left out unnoticed. */
export const events = [
  'an assignment begins exactly now',
  'an assignment ends exactly now',
  'an assignment ends in a millisecond',
  'one that was over is renewed',
  'one ends later',
  'one ends earlier',
  'refused, since the actor does not hold it so long',
  'a building moves',
  'a building moves while it is asked about',
  'a move changes what somebody may do there',
  'a move changes what is answered meanwhile',
] as const
type Event = (typeof events)[number]

const keyOf = ({ PK, SK }: Stored) => `${PK} / ${SK}`

function ofTime({ step, there }: Happened): Event[] {
  const soon = new Date(Date.parse(step.now) + 1).toISOString()
  return there.flatMap(({ start_at, expires_at }): Event[] => [
    ...(start_at === step.now ? (['an assignment begins exactly now'] as const) : []),
    ...(expires_at === step.now ? (['an assignment ends exactly now'] as const) : []),
    ...(expires_at === soon ? (['an assignment ends in a millisecond'] as const) : []),
  ])
}

function ofAssignments({ step, there, now_there }: Happened): Event[] {
  const known = new Map(there.map((item) => [keyOf(item), item]))
  return now_there.flatMap((item): Event[] => {
    const was = known.get(keyOf(item))
    if (was === undefined || was.version === item.version) return []
    if (typeof was.expires_at === 'string' && was.expires_at <= step.now) return ['one that was over is renewed']
    return [String(item.expires_at ?? '~') > String(was.expires_at ?? '~') ? 'one ends later' : 'one ends earlier']
  })
}

function ofMove({ step: { kind, raced, input }, before, after }: Happened): Event[] {
  if (before === undefined || after === undefined) return []
  const place = `building ${String(input.id)}`
  if (before.places.get(place)?.join() === after.places.get(place)?.join()) return []
  const held = (grants: Grants, user: string) => heldAt(grants, user, place).map(({ pattern }) => pattern)
  const isOther = usersOf(after).some((user) => held(before, user).sort().join() !== held(after, user).sort().join())
  return [
    'a building moves',
    ...(kind === 'race' ? (['a building moves while it is asked about'] as const) : []),
    ...(isOther ? (['a move changes what somebody may do there'] as const) : []),
    ...(raced !== undefined && isChanged(raced, before, after) ? (['a move changes what is answered meanwhile'] as const) : []),
  ]
}

/** The events that came about by a step. */
export function eventsOf(happened: Happened): readonly Event[] {
  const { step, outcome } = happened
  if (step.kind === 'wait') return ofTime(happened)
  if (outcome.code !== undefined) return outcome.told.includes('NotHeldSoLong') ? ['refused, since the actor does not hold it so long'] : []
  if (step.subject === 'assignRole' || step.subject === 'extendAssignment') return ofAssignments(happened)
  return step.subject === 'moveBuilding' ? ofMove(happened) : []
}
