import type { Stored } from '@freehold/table/runtime'
import type { Values } from '../any-item.ts'
import { type Choosing, itemsOf } from './choose-values.ts'
import { catalogue, type Party, plantation } from './plant.ts'
import type { Raced } from './race.ts'
import type { Step } from './step.ts'

const minute_ms = 60_000
const day_ms = 1440 * minute_ms

const text = (permission: (typeof catalogue)[number] | undefined) =>
  permission === undefined ? 'devices:read:camera' : `${permission.module}:${permission.action}:${permission.resource}`

/** When an assignment begins or ends: soon, so that it comes about, or in some days, or it always was and never will be. */
export function chooseBound({ chance, now }: Choosing, name: 'start_at' | 'expires_at'): string | undefined {
  const is = chance.weighted(name === 'start_at' ? { none: 55, minutes: 40, days: 5 } : { none: 25, minutes: 55, days: 20 })
  if (is === 'none') return undefined
  return new Date(now.getTime() + (1 + chance.below(40)) * (is === 'days' ? day_ms : minute_ms)).toISOString()
}

/** A later end than an assignment has. */
export function laterEnd({ chance }: Choosing, { expires_at }: Stored): string {
  return new Date(Date.parse(String(expires_at)) + (1 + chance.below(600)) * minute_ms).toISOString()
}

/** Assignments that a flow renews, which are over, or extends, which are not yet. */
export function timedAssignments(choosing: Choosing, party: Party, flow: string): readonly Stored[] {
  if (flow !== 'assignRole' && flow !== 'extendAssignment') return []
  const now = choosing.now.toISOString()
  const isExpired = flow === 'assignRole'
  return itemsOf(choosing, party, 'UserRoleAssignment').filter(
    ({ expires_at }) => typeof expires_at === 'string' && expires_at <= now === isExpired,
  )
}

/** The instants that are waited for. */
export const waits = ['a start', 'an end', 'just before an end'] as const

/** Instants that are further away are not waited for. */
const far_ms = 60 * day_ms

/** When an assignment of a party begins or ends, from now on. */
function boundsAhead(choosing: Choosing, party: Party, subject: string): readonly number[] {
  const now_ms = choosing.now.getTime()
  const early_ms = subject === 'just before an end' ? 1 : 0
  return itemsOf(choosing, party, 'UserRoleAssignment')
    .flatMap(({ start_at, expires_at }) => {
      const bound = subject === 'a start' ? start_at : expires_at
      return typeof bound === 'string' ? [Date.parse(bound) - early_ms] : []
    })
    .filter((time) => time > now_ms && time < now_ms + far_ms)
    .sort((a, b) => a - b)
}

/** The clock goes on to where an assignment of a party begins or ends, else for an hour. */
export function chooseWait(choosing: Choosing, subject: string): Pick<Step, 'client' | 'now' | 'input'> {
  const { chance, now } = choosing
  const waiting = plantation.parties.filter((party) => boundsAhead(choosing, party, subject).length > 0)
  const party = chance.one(waiting) ?? chance.one(plantation.parties)
  const [next = now.getTime() + 60 * minute_ms] = party === undefined ? [] : boundsAhead(choosing, party, subject)
  return { client: party?.client_id, now: new Date(next).toISOString(), input: { permission: text(chance.one(catalogue)) } }
}

/** A building of the party moves to another of its projects, and meanwhile it is asked what one of its users may do there. */
export function chooseRace(choosing: Choosing, party: Party): { readonly input: Values; readonly raced: Raced } {
  const { chance } = choosing
  const building = chance.one(itemsOf(choosing, party, 'Building'))
  const others = itemsOf(choosing, party, 'Project').filter(({ id }) => id !== building?.project_id)
  const id = String(building?.id ?? party.client_id)
  // Mostly one who has something at a project: to that one it matters where the building is.
  const concerned = itemsOf(choosing, party, 'UserRoleAssignment').filter(({ scope_type }) => scope_type === 'project')
  const one = chance.percent(80) ? chance.one(concerned)?.user_id : undefined
  const user = String(one ?? chance.one(itemsOf(choosing, party, 'User'))?.id ?? party.client_id)
  return {
    input: { id, project_id: chance.one(others)?.id ?? party.client_id, confirm_dangerous: true },
    raced: { user, building: id, client: party.client_id, permission: text(chance.one(catalogue)) },
  }
}
