import { clients } from './account-client.js'
import { accounts } from './platform-account.js'
import type { Tenancy } from './tenancy.js'

/** By the names of their designs. */
export const tenancies: ReadonlyMap<string, Tenancy> = new Map([clients, accounts].map((each) => [each.design.name, each]))

export function tenancyOf(design: string): Tenancy {
  const tenancy = tenancies.get(design)
  if (tenancy === undefined) throw new Error(`--design ${design}: it is one of ${[...tenancies.keys()].join(', ')}.`)
  return tenancy
}
