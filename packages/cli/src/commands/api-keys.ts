import { checkKeyDesigns, type KeyEntry, type NewKey, type Purpose } from '@freehold/service'
import { invalid } from '../input/invalid.ts'
import { offered } from '../naming/offered.ts'
import type { TableOptions } from '../opening/open-table.ts'
import { type ReachedKeys, withKeys } from '../opening/with-keys.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface ApiKeysOptions extends TableOptions {
  /** The name of a key to make. */
  readonly new?: string
  readonly purpose?: Purpose
  readonly design?: readonly string[]
  readonly tenant?: string
  readonly flow?: readonly string[]
  /** How long a new key is accepted, in milliseconds. */
  readonly expires?: number
  /** The id of a key to replace. */
  readonly rotate?: string
  /** How long the replaced key is still accepted, in milliseconds. */
  readonly overlap?: number
  /** The id of a key. */
  readonly revoke?: string
}

const foreignWords =
  'They are in no directory of keys, so that freehold has not made them: revoke them, and ask who can write to the table.'

/** A day, in which the programs that use a key get the new one. */
const overlapUnlessGiven_ms = 24 * 3_600_000
const createdBy = 'freehold api-keys'

async function printNew(shell: Shell, key: NewKey, json: boolean): Promise<void> {
  if (json) await printJson(shell, key)
  else await shell.out(`${key.text}\nThe API key ${key.keyId} is shown only once: keep it.\n`)
}

async function makeKey(shell: Shell, keys: ReachedKeys, now: Date, options: ApiKeysOptions): Promise<NewKey> {
  const { new: name, purpose = 'operator', design: designs, tenant, flow: flows, expires } = options
  const expiresAt = expires === undefined ? undefined : new Date(now.getTime() + expires).toISOString()
  checkKeyDesigns({ designs, tenant, flows }, offered(shell))
  return keys.newKey(name, { purpose, designs, tenant, flows, expiresAt, createdBy })
}

/** What a key is for, in a few words. An operator's of no design may do everything, and says so. */
function limitsWords({ purpose = 'operator', designs, tenant, flows }: KeyEntry): string {
  if (purpose === 'operator' && designs === undefined) return 'everything'
  const of = designs === undefined ? [] : [`of ${designs.join(', ')}`]
  const named = flows === undefined ? [] : [`with ${flows.join(', ')}`]
  return [purpose, ...(tenant === undefined ? [] : [tenant]), ...of, ...named].join(' ')
}

const columnsOf: readonly (readonly [title: string, told: (key: KeyEntry) => string | undefined])[] = [
  ['key', ({ keyId }) => keyId],
  ['name', ({ name }) => name],
  ['made', ({ createdAt }) => createdAt],
  ['may', limitsWords],
  ['by', ({ createdBy }) => createdBy],
  ['last used', ({ lastUsedAt }) => lastUsedAt],
  ['expires', ({ expiresAt }) => expiresAt],
]

async function printList(shell: Shell, keys: ReachedKeys, json: boolean): Promise<void> {
  const foreign = (await keys.foreign()).map((key) => ({ ...key, isForeign: true }))
  const all = [...(await keys.list()), ...foreign]
  if (json) return printJson(shell, all)
  if (all.length === 0) return shell.out('There are no API keys: `freehold serve` creates the first.\n')
  // A column that would be empty is left out.
  const columns = columnsOf.filter(([, told]) => all.some((key) => told(key) !== undefined))
  const rows = all.map((key) => columns.map(([, told]) => told(key) ?? ''))
  await shell.out(
    renderTable(
      columns.map(([title]) => title),
      rows,
      shell.columns,
    ),
  )
  if (foreign.length > 0) await shell.out(`Foreign, and refused: ${foreign.map(({ keyId }) => keyId).join(', ')}. ${foreignWords}\n`)
}

/** Refuses options that would be ignored. Throws `InvalidInput`. */
function checkOptions({ new: name, rotate, purpose, design, tenant, flow, expires, overlap }: ApiKeysOptions): void {
  const ofNew = Object.entries({ purpose, design, tenant, flow, expires }).find(([, value]) => value !== undefined)
  const stray =
    name === undefined && ofNew !== undefined
      ? [ofNew[0], 'new']
      : rotate === undefined && overlap !== undefined
        ? ['overlap', 'rotate']
        : []
  const [option, needed] = stray
  if (option === undefined) return
  throw invalid(`--${option} is for --${needed}, which is not given.`)
}

/** Lists the API keys of the service, without their secrets; makes one, replaces one, or revokes one. */
export async function apiKeys(shell: Shell, _operands: readonly string[], options: ApiKeysOptions): Promise<Exit> {
  const { new: name, rotate, revoke, overlap = overlapUnlessGiven_ms, json = false } = options
  checkOptions(options)
  const isReading = name === undefined && rotate === undefined && revoke === undefined
  return withKeys(
    shell,
    options,
    async (keys) => {
      if (name !== undefined) await printNew(shell, await makeKey(shell, keys, shell.now(), options), json)
      else if (rotate !== undefined) await printNew(shell, await keys.rotate(rotate, { overlap_ms: overlap, createdBy }), json)
      else if (revoke === undefined) await printList(shell, keys, json)
      else {
        await keys.revoke(revoke)
        if (json) await printJson(shell, { revoked: true })
        else await shell.out('Revoked the API key. A running server may accept it for five seconds more.\n')
      }
      return exit.yes
    },
    isReading,
  )
}
