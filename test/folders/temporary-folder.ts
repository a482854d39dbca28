import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where the folders of the test file are made that runs now. Worker processes run one file after another. */
let own: string | undefined

/** An empty folder for the test file that asks, with these files in it. It goes with the test file. */
export function temporaryFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  if (own === undefined) throw new Error('No test file runs.')
  const folder = mkdtempSync(join(own, 'folder-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/**
 * Gives a test file its folders, and a temporary folder of the system that is its own: `TMPDIR`, also of the processes that it starts.
 * @returns ends the test file: removes its folders. Throws if the product or a test has left anything in the system's temporary folder.
 */
export function beginFolders(folderOfRun: string): () => void {
  const before = { own, TMPDIR: process.env.TMPDIR }
  const folder = mkdtempSync(join(folderOfRun, 'file-'))
  const system = join(folder, 'system')
  mkdirSync(system)
  own = folder
  process.env.TMPDIR = system
  return () => {
    own = before.own
    if (before.TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before.TMPDIR
    const left = readdirSync(system).sort()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    if (left.length > 0) throw new Error(`Left in the system's temporary folder: ${left.join(', ')}. Tests take temporaryFolder().`)
  }
}
