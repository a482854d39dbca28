import { FreeholdError } from '@freehold/table'
import type { TableOptions } from '../opening/open-table.ts'
import { withKeys } from '../opening/with-keys.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

/** The address that opens the console. No browser sends the part behind `#`, so that no log of a server has the secret. */
export const consoleAddress = (service: string, text: string): string => `${service.replace(/\/+$/, '')}/console/#open=${text}`

/** Prints a link that opens the console of a service once, on this machine, within ten minutes. */
export async function console(shell: Shell, _operands: readonly string[], options: TableOptions): Promise<Exit> {
  const { url, port } = shell.settings
  const opened = await withKeys(shell, options, (keys) => keys.consoleLink(), false)
  if (opened === undefined)
    throw new FreeholdError('NotFound', 'There is no API key of an operator without limits: `freehold api-keys --new NAME` makes one.', {})
  const link = consoleAddress(url ?? `http://127.0.0.1:${port}`, opened.text)
  if (options.json === true) await printJson(shell, { link, expiresAt: opened.expiresAt })
  else await shell.out(`${link}\n`)
  return exit.yes
}
