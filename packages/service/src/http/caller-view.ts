import { type Decider, recentlyUsed } from '@freehold/frame/decision'
import type { UserAt } from '@freehold/frame/flow'
import type { VerifiedToken } from '@freehold/frame/issuers'
import type { ConnectedTable } from '@freehold/table'
import type { Awaitable } from '@freehold/table/runtime'
import type { Observing } from '../operations/observed.ts'
import type { Served } from '../served.ts'
import { notForCaller, type RequestCaller } from './caller.ts'

/** What a caller reaches of a design. */
export interface CallerView {
  /** Within its tenant, if it is of one. */
  readonly table: ConnectedTable
  /** Undefined for a design that decides nothing, or not for this caller. */
  readonly decider: Decider | undefined
  /** The id of the user that the caller is: it runs flows as itself. Absent for a caller that is a program. */
  readonly user?: string | undefined
  /** False of a user who asks about itself alone. Absent for a caller that is a program. */
  readonly administers?: boolean
}

/** What a caller reaches; a promise for a user, who is read. */
export type CallerViews = (caller: RequestCaller) => Awaitable<CallerView>

/** The tenants whose deciders one process keeps for each design, and the memory of each for definitions. */
const tenants_max = 64
const definitionBytesMax = 1_048_576

/** The user of a token, read consistently: it must be there, and may act. Throws `Denied`. */
async function userOf({ module: { flows }, table }: Served, token: VerifiedToken | undefined): Promise<UserAt> {
  if (token === undefined || flows === undefined) throw notForCaller()
  return flows.userOf(table, token)
}

/** What each caller reaches of a design. A decider that a program has made is for the whole table, so that callers of one tenant do not reach it. */
export function callerViewsOf(served: Served, decider: Decider | undefined, observe: Observing): CallerViews {
  const { module, table } = served
  const whole: CallerView = { table, decider }
  const byTenant = recentlyUsed<CallerView>(tenants_max)
  const within = (tenant: string): CallerView => {
    const known = byTenant.get(tenant)
    if (known !== undefined) return known
    const scoped = table.forTenant(tenant)
    const own = served.decider === undefined ? module.decider?.(scoped.runtime, { ...observe.deciding, definitionBytesMax }) : undefined
    const reach: CallerView = { table: scoped, decider: observe.decider(module.design.name, own) }
    byTenant.set(tenant, reach)
    return reach
  }
  // A user of a tenant sees no other one, nor whether it is there.
  const asUser = ({ id, tenant }: UserAt, administers: boolean, of?: CallerView): CallerView => ({
    ...(of ?? (tenant === undefined ? whole : within(tenant))),
    ...{ user: id, administers },
  })
  return ({ purpose, tenant, token, person }) => {
    if (person !== undefined) return asUser({ id: person.user, tenant: person.tenant }, person.administers)
    if (purpose === 'user') return userOf(served, token).then((user) => asUser(user, false))
    if (tenant === undefined ? purpose === 'tenant' : table.design.form.tenantOf === undefined) throw notForCaller()
    const view = tenant === undefined ? whole : within(tenant)
    return token === undefined ? view : userOf(served, token).then((user) => asUser(user, false, view))
  }
}
