import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { FreeholdError } from '@freehold/table'
import { invalid } from '../input/invalid.ts'
import { listed } from '../output/listed.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

const starter = new URL('../../starter/', import.meta.url)

/** Writes a first design with its test and a README. Overwrites nothing: where one of the files is, none is written. */
export async function init(shell: Shell, [operand = '.']: readonly string[], { json = false }: PrintOptions): Promise<Exit> {
  const folder = resolve(shell.cwd, operand)
  const files = (await readdir(starter)).sort()
  try {
    await mkdir(folder, { recursive: true })
    const there = new Set(await readdir(folder))
    const taken = files.filter((name) => there.has(name))
    if (taken.length > 0) throw invalid(`${safeText(operand)} has ${listed(taken)}, which init would write: name another folder.`)
    for (const name of files) await writeFile(join(folder, name), await readFile(new URL(name, starter)), { flag: 'wx' })
  } catch (error) {
    if (error instanceof FreeholdError) throw error
    throw invalid(`${safeText(operand)} cannot be written to: ${Object(error).code ?? 'it is no folder'}.`, error)
  }
  if (json) await printJson(shell, { folder, files })
  else await shell.out(`Wrote ${listed(files)} to ${safeText(folder)}. README.md says how to go on.\n`)
  return exit.yes
}
