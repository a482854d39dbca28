import { type Difference, differences, type Effect, lockOf } from '@freehold/table/publish'
import { lockedDesign, readLockFile } from '../input/lock-file.ts'
import { counted } from '../output/counted.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

export interface DiffOptions extends PrintOptions {
  readonly check?: boolean
}

const words: Readonly<Record<Effect, string>> = { compatible: 'compatible', backfill: 'needs a backfill', breaking: 'breaking' }

function linesOf({ effect, at, message, items, deployments }: Difference): readonly string[] {
  return [
    `${words[effect]}: ${at}`,
    `  ${message}`,
    ...(items === undefined ? [] : [`  Items: ${items.entity}${items.where === undefined ? '' : ` ${items.where}`}. ${items.query}`]),
    ...(deployments === undefined ? [] : [`  First deployment: ${deployments[0]}`, `  Second deployment: ${deployments[1]}`]),
  ]
}

/** Compares a design with its lock. With `--check` the exit code is 1 if a difference is not compatible. */
export async function diff(shell: Shell, [name]: readonly string[], { json = false, check = false }: DiffOptions): Promise<Exit> {
  const locked = lockedDesign(shell, name)
  const found = differences(await readLockFile(shell, locked), lockOf(locked.design))
  if (json) await printJson(shell, { file: locked.path, differences: found })
  else {
    const all = found.flatMap((each) => linesOf(each).map((line) => `${safeText(line)}\n`))
    const nothing = `${safeText(locked.path)} has the design ${locked.design.name} as it is.\n`
    await shell.out(
      found.length === 0 ? nothing : `${all.join('')}\n${counted(found.length, 'difference')} from ${safeText(locked.path)}.\n`,
    )
  }
  return check && found.some(({ effect }) => effect !== 'compatible') ? exit.no : exit.yes
}
