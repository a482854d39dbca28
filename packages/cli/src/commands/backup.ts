import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { cannotWrite } from '../engine/atomic-file.ts'
import { refuseWithoutData } from '../engine/data-folder.ts'
import { type EndpointOptions, resolveEndpoint } from '../engine/endpoint.ts'
import { openData } from '../engine/open-data.ts'
import { invalid } from '../input/invalid.ts'
import { refuseService } from '../opening/service-at.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

interface BackupOptions extends PrintOptions, Pick<EndpointOptions, 'data'> {}

/** Copies the data of the embedded engine as it is at one instant, while other processes write. */
export async function backup(shell: Shell, [operand = '']: readonly string[], { json = false, ...options }: BackupOptions): Promise<Exit> {
  refuseService(shell, 'freehold backup')
  const endpoint = await resolveEndpoint(shell, options)
  if (endpoint.kind !== 'embedded')
    throw invalid('`freehold backup` copies a data folder: at AWS use point-in-time recovery, or `freehold export`.')
  refuseWithoutData(endpoint.directory)
  const file = resolve(shell.cwd, operand)
  if (existsSync(file)) throw invalid(`${safeText(operand)} is there already: name a new file.`)
  if (statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw invalid(`${safeText(operand)} is in no folder that is there: make the folder first.`)
  const engine = await openData(endpoint)
  // Only the owner of the data may read its copy.
  const mask = process.umask(0o077)
  try {
    await engine.backup(file)
  } catch (error) {
    rmSync(file, { force: true })
    throw cannotWrite(safeText(operand), error)
  } finally {
    process.umask(mask)
    await engine.close()
  }
  if (json) await printJson(shell, { file })
  else
    await shell.out(
      `Copied ${safeText(endpoint.directory)} to ${safeText(operand)}. To use the copy, put it into a folder as data.mdb, and name that folder by --data.\n`,
    )
  return exit.yes
}
