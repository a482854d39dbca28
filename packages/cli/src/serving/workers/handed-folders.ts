import { isFreeholdError } from '@freehold/table'
import { openTexts } from '../../opening/with-folder.ts'
import type { Shell } from '../../shell.ts'
import type { OpenByFolder } from '../served-folders.ts'
import type { HandedFolder } from './messages.ts'

/** Folders that the supervisor reads for all workers, so that all decide by the states that it has taken. */
export interface HandedFolders {
  readonly open: OpenByFolder
  /** Begins with a state of a folder, or goes on with a later one. */
  take(folder: HandedFolder): void
}

/** @param refuse told why, if a state cannot be taken by which the others decide */
export function handedFolders(shell: Shell, refuse: (why: string) => void): HandedFolders {
  const latest = new Map<string, HandedFolder['texts']>()
  const replacing = new Map<string, (texts: ReadonlyMap<string, string>) => Promise<void>>()
  /** One after another: an earlier state must not follow a later one. */
  let taking = Promise.resolve()
  const take: HandedFolders['take'] = ({ name, texts }) => {
    latest.set(name, texts)
    const replace = replacing.get(name)
    // A module that is being opened takes the latest state at its end.
    if (replace === undefined) return
    taking = taking
      .then(() => replace(new Map(texts)))
      .catch((error: unknown) => refuse(isFreeholdError(error) ? error.message : 'It could not be loaded.'))
  }
  return {
    take,
    open: async (module, folder) => {
      const { name } = folder
      const texts = latest.get(name) ?? []
      const { module: served, replace } = await openTexts(shell, module, folder, new Map(texts))
      replacing.set(name, replace)
      const now = latest.get(name) ?? []
      if (now !== texts) take({ name, texts: now })
      await taking
      return served
    },
  }
}
