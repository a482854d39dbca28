import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { lockOf, lockText } from '@freehold/table/publish'
import { invalid } from '../input/invalid.ts'
import { lockedDesign } from '../input/lock-file.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

/** Writes the canonical form of a design beside it. */
export async function lock(shell: Shell, [name]: readonly string[], { json = false }: PrintOptions): Promise<Exit> {
  const { design, path } = lockedDesign(shell, name)
  const text = lockText(lockOf(design))
  const absolute = resolve(shell.cwd, path)
  try {
    const isWritten = !(existsSync(absolute) && readFileSync(absolute, 'utf8') === text)
    if (isWritten) await writeFile(absolute, text)
    if (json) await printJson(shell, { file: path, isWritten })
    else
      await shell.out(
        `${safeText(path)} ${isWritten ? `has the design ${design.name} now. Commit it.` : `has the design ${design.name} already.`}\n`,
      )
    return exit.yes
  } catch (error) {
    throw invalid(`${safeText(path)} cannot be written: ${Object(error).code}.`, error)
  }
}
