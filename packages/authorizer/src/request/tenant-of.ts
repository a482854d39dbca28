import { requestDenial } from '../denial.ts'
import type { TenantSources } from '../map/authorizer-map.ts'
import type { TokenUser } from './bearer-token.ts'
import { idText } from './id-text.ts'

/** What a request says of its tenant. */
export interface TenantNaming {
  /** A variable of the path or an argument. */
  asked(name: string): unknown
  header(name: string): readonly string[]
  readonly host: string | undefined
  readonly claims: TokenUser['claims']
}

const given = (values: readonly unknown[]): readonly unknown[] => values.filter((value) => value !== undefined && value !== null)

function inHost([before, after]: readonly [string, string], host: string | undefined): readonly string[] {
  if (host === undefined) return []
  // Several hosts, joined by a gateway: together they are no id.
  if (host.includes(',')) return [host]
  // RFC 3986, section 3.2.3: the port may be empty. RFC 1034, section 3.1: a name with a dot at its end is the same name.
  const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
  const isOf = name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after)
  return isOf ? [name.slice(before.length, name.length - after.length)] : []
}

function idOf(value: unknown): string {
  const id = idText(value)
  if (id === undefined) throw requestDenial('TenantMalformed', 'A tenant that the request names is no id.')
  return id
}

/** The tenant of a request. Sources that do not name one are passed over; those that do agree. */
export function tenantOf(sources: TenantSources, { asked, header, host, claims }: TenantNaming): string {
  const { path, header: name, claim } = sources
  const named = [
    ...(path === undefined ? [] : given([asked(path)])),
    ...(name === undefined ? [] : header(name)),
    ...(claim === undefined || !Object.hasOwn(claims, claim) ? [] : given([claims[claim]])),
    ...(sources.host === undefined ? [] : inHost(sources.host, host)),
  ].map(idOf)
  const [tenant] = named
  if (tenant === undefined) throw requestDenial('TenantMissing', 'The request names no tenant.')
  if (named.some((other) => other !== tenant)) throw requestDenial('TenantDisagrees', 'The request names several tenants.')
  return tenant
}
