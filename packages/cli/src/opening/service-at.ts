import { invalid } from '../input/invalid.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { isLoopback } from './loopback.ts'

/** A service that a command asks, and how long: a flow waits for its jobs, and a service for a table that is busy. */
export interface ServiceAt {
  readonly url: string
  readonly key: string
  readonly patience_ms: number
  readonly attempts_max: number
  readonly unreached_max: number
}

/** The options of a table, which a service has chosen for itself, by their settings; `--table` is no setting. */
const ofTables: readonly (readonly [setting: string, option: string])[] = [
  ['data', 'data'],
  ['policies', 'policies'],
  ['policyStore', 'store'],
]

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && `${username}${password}${search}${hash}` === ''
}

/** A service that is busy is asked again for a minute, and one that does not answer a few times. */
const patience = { patience_ms: 60_000, attempts_max: 60, unreached_max: 4 } as const

/** True for a command that asks a service, and opens no table. */
export const asksService = ({ settings }: Pick<Shell, 'settings'>): boolean => settings.url !== undefined

/**
 * The service that a command asks, with its API key. Undefined if it works on a table.
 * @throws InvalidInput for an address that is none or where others could read the key, without an API key that can be one, and with options of a table
 */
export function serviceAt({ settings }: Pick<Shell, 'settings'>, { table }: { readonly table?: string } = {}): ServiceAt | undefined {
  const { url, apiKey: key, places } = settings
  if (url === undefined) return undefined
  if (!isAddress(url))
    throw invalid(
      'The address of the service is not one such as https://api.example or http://127.0.0.1:3000: correct --url or FREEHOLD_URL.',
    )
  const [, named] = ofTables.find(([setting]) => places[setting] === 'option') ?? []
  const stray = table === undefined ? named : 'table'
  if (stray !== undefined) throw invalid(`--${stray} is of a table, but a service is asked: leave it out, or --url and FREEHOLD_URL.`)
  if (key === undefined)
    throw invalid('A service wants an API key: set FREEHOLD_API_KEY to one, which `freehold api-keys --new NAME` makes.')
  if (!/^[!-~]+$/.test(key.trim()))
    throw invalid('FREEHOLD_API_KEY has a space, or a character beyond ASCII, which no API key has: copy the key again, alone.')
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, '')))
    throw invalid(`${safeText(url)} has no TLS, and anybody on the way could read the API key: use https, or a tunnel to this machine.`)
  return { url, key, ...patience }
}

/** Refuses a service for a command that works on a table alone. Throws `InvalidInput`. */
export function refuseService(shell: Pick<Shell, 'settings'>, command: string): void {
  if (asksService(shell))
    throw invalid(`\`${command}\` works on a table, and not over HTTP: run it beside the table, without --url and FREEHOLD_URL.`)
}
