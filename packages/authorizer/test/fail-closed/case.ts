import type { TokenOf } from '../tokens.ts'
import { tenants } from '../world.ts'

/** What differs from the request that is allowed: ada closes the ticket t-1 of acme. */
export interface FailClosedCase {
  readonly name: string
  /** The code of the reason in the log, or those of which each shape has one. */
  readonly code: string | readonly string[]
  /** What the client gets. */
  readonly status: 401 | 403
  readonly user?: string
  readonly tenant?: string
  /** What is done with the ticket: the end of the path, and of the field's name. */
  readonly doing?: 'close' | 'archived' | 'noted' | 'team' | 'sized' | 'unmapped'
  readonly token?: TokenOf
  /** The values of the Authorization header; `TOKEN` stands for the token. */
  readonly authorization?: readonly string[]
  readonly headers?: readonly (readonly [string, string])[]
  readonly host?: string
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  /** Changes the map. */
  readonly map?: (text: string) => string
  /** What the decider does instead of deciding. */
  readonly decider?: 'throws' | 'storage' | 'engine' | 'many roles' | 'no reason' | 'not a decision'
  readonly log?: 'throws'
  /** The shapes that it makes sense for; all unless given. */
  readonly asks?: 'paths' | 'sent paths' | 'queries'
}

export const { acme, rival, asleep, nowhere } = tenants
export const at = (path: string) => ({ path, asks: 'paths' }) as const
export const asking = (query: string) => ({ query, asks: 'queries' }) as const
export const claims = (changed: Readonly<Record<string, unknown>>) => ({ token: { claims: changed } })
export const header = (changed: Readonly<Record<string, unknown>>) => ({ token: { header: changed } })
export const bearer = { status: 401 } as const
export const refused = { status: 403 } as const
export const close = (ticket: string) => `/tenants/${acme}/tickets/${ticket}/close`
export const part = (index: number, value: string) => (token: string) =>
  token
    .split('.')
    .map((each, at) => (at === index ? value : each))
    .join('.')

export const now_s = (offset: number) => Math.floor(Date.parse('2026-03-01T12:00:00Z') / 1000) + offset
