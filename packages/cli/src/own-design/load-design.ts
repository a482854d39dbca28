import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ExportedModule, exportedModule } from '@freehold/frame'
import { serviceDesign } from '@freehold/service'
import { FreeholdError } from '@freehold/table'
import { invalid } from '../input/invalid.ts'
import { listed } from '../output/listed.ts'
import { safeText } from '../output/safe-text.ts'

/** A text that names a file of a design. Names of designs have no dots. */
export const isDesignFile = (text: string): boolean => /\.[cm]?[jt]s$/.test(text)

/** A module, and how its file exports it. */
export interface LoadedDesign extends ExportedModule {
  readonly file: string
}

const refused = (file: string, why: string, cause?: unknown) => invalid(`${safeText(file)} ${why}`, cause)

/** What a file has thrown while it was loaded. It is the user's own, so it is told as it is. */
function thrownWords(error: unknown): string {
  return safeText(error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 1_000)
}

/**
 * Loads the design in a file, as `--design ./shop.ts` names it. Its code runs.
 * @throws InvalidInput for a file that is missing, that throws, or that exports no design or several; InvalidDesign as the file throws it
 */
export async function loadDesign(cwd: string, file: string): Promise<LoadedDesign> {
  const path = resolve(cwd, file)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw refused(file, 'is not a file: --design names the file of a design.')
  await import('./typescript.ts')
  let exports: Readonly<Record<string, unknown>>
  try {
    exports = await import(pathToFileURL(path).href)
  } catch (error) {
    if (error instanceof FreeholdError) throw error
    throw refused(file, `cannot be loaded. ${thrownWords(error)}`, error)
  }
  const found = exportedModule(exports)
  if ('candidates' in found) {
    const { candidates } = found
    if (candidates.length === 0)
      throw refused(file, 'exports no design: export the value of `design({…})`, or a module that has it as `design`.')
    throw refused(file, `exports several designs, ${listed(candidates)}: export one of them as default.`)
  }
  if (found.module.design.name === serviceDesign.name)
    throw refused(file, `has a design named ${serviceDesign.name}, as that of the API keys is: give it another name.`)
  return { ...found, file }
}
