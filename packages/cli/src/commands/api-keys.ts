import { openKeys, serviceDesign } from '@freehold/service'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface ApiKeysOptions extends TableOptions {
  /** The id of a key. */
  readonly revoke?: string
}

const foreignWords =
  'They are in no directory of keys, so that freehold has not made them: revoke them, and ask who can write to the table.'

/** Lists the API keys of the service, without their secrets, or revokes one. */
export async function apiKeys(shell: Shell, _operands: readonly string[], options: ApiKeysOptions): Promise<Exit> {
  const { revoke, json = false } = options
  return withTable(shell, { module: { design: serviceDesign }, name: 'freehold api-keys' }, options, async ({ runtime }) => {
    const { sender, table, now } = runtime
    const keys = await openKeys({ sender, table, now })
    if (revoke !== undefined) {
      await keys.revoke(revoke)
      if (json) await printJson(shell, { revoked: true })
      else await shell.out('Revoked the API key. A running server may accept it for five more seconds.\n')
      return exit.yes
    }
    const foreign = (await keys.foreign()).map((key) => ({ ...key, isForeign: true }))
    const all = [...(await keys.list()), ...foreign]
    if (json) await printJson(shell, all)
    else if (all.length === 0) await shell.out('There are no API keys: `freehold serve` creates the first.\n')
    else {
      const rows = all.map(({ keyId, name, createdAt }) => [keyId, name, createdAt])
      await shell.out(renderTable(['key', 'name', 'made'], rows, shell.columns))
      if (foreign.length > 0) await shell.out(`Foreign, and refused: ${foreign.map(({ keyId }) => keyId).join(', ')}. ${foreignWords}\n`)
    }
    return exit.yes
  })
}
