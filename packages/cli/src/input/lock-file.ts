import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readJson } from '@freehold/frame/reading'
import { type AnyDesign, FreeholdError } from '@freehold/table'
import { type Lock, readLock } from '@freehold/table/publish'
import { moduleNamed } from '../naming/named.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { readablePath } from './input-file.ts'
import { invalid } from './invalid.ts'

/** A design as it is written, and the file of its lock. */
export interface Locked {
  readonly design: AnyDesign
  /** As people name it: relative to the working folder, as the design's own file was named. */
  readonly path: string
}

/** The lock stands beside the file of a design, else in the working folder. It has the parts that a deployment leaves out, too. */
export function lockedDesign(shell: Shell, name: string | undefined): Locked {
  const { design } = moduleNamed(shell, name)
  const file = shell.designFiles?.get(design.name)?.file
  const whole = shell.designs.get(design.name)?.design ?? design
  return { design: whole, path: join(file === undefined ? '.' : dirname(file), `${design.name}.lock.json`) }
}

/** Throws `InvalidInput` for a file that is missing, or no lock. */
export async function readLockFile(shell: Shell, { design, path }: Locked): Promise<Lock> {
  const refused = (why: string, cause?: unknown) => invalid(`${safeText(path)} ${why}`, cause)
  const absolute = await readablePath(shell, path).catch((error: unknown) => {
    throw refused(`cannot be read: write it by \`freehold lock\`, from the version of ${design.name} that is deployed.`, error)
  })
  const read = readJson(await readFile(absolute, 'utf8'))
  if (read.problem !== undefined) throw refused(`${read.problem}.`)
  try {
    return readLock(read.value)
  } catch (error) {
    throw refused(`is not a lock that this version reads. ${error instanceof FreeholdError ? error.message : ''}`, error)
  }
}
