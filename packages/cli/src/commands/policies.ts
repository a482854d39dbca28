import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkPolicies, type PolicyCheck, starterFiles } from '@freehold/designs/authorization/policies'
import { FreeholdError } from '@freehold/table'
import { makeFolder } from '../engine/make-folder.ts'
import { invalid } from '../input/invalid.ts'
import { readPolicyFolder } from '../input/policy-folder.ts'
import { folderPath } from '../input/read-folder.ts'
import { counted } from '../output/counted.ts'
import { safeText } from '../output/safe-text.ts'
import type { StoreOptions } from '../policies/policy-store.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

interface PoliciesOptions extends StoreOptions {
  readonly write?: boolean
}

/** Begins a folder of policies, checks one or compares it with a policy store. Exits with 1 if it does not check, or differs. */
export async function policies(shell: Shell, [verb, folder = '']: readonly string[], options: PoliciesOptions): Promise<Exit> {
  if (verb === 'init') return begin(shell, folder, options)
  if (verb === 'check') return check(shell, folder, options)
  const { diff, pull, push } = await import('../policies/policy-store.ts')
  return (verb === 'push' ? push : verb === 'pull' ? pull : diff)(shell, folder, options)
}

/** Writes the starter. A file that is there is never overwritten. */
async function begin(shell: Shell, folder: string, { json = false }: PoliciesOptions): Promise<Exit> {
  const path = folderPath(shell, folder)
  const refused = (cause: unknown) => invalid(`The folder ${safeText(folder)} cannot be written.`, cause)
  const names = await Promise.resolve(path)
    .then((each) => makeFolder(each))
    .then(() => readdir(path))
    .catch((error: unknown) => Promise.reject(refused(error)))
  const taken = Object.keys(starterFiles).filter((name) => names.includes(name))
  if (taken.length > 0) throw new FreeholdError('AlreadyExists', `The folder ${safeText(folder)} has ${taken.join(', ')} already.`)
  for (const [name, text] of Object.entries(starterFiles))
    await writeFile(join(path, name), text, { flag: 'wx' }).catch((error: unknown) => Promise.reject(refused(error)))
  if (json) await printJson(shell, { written: Object.keys(starterFiles) })
  else await shell.out(`Wrote ${Object.keys(starterFiles).join(', ')}.\n`)
  return exit.yes
}

async function check(shell: Shell, folder: string, { json = false, write = false }: PoliciesOptions): Promise<Exit> {
  const checked = await checkPolicies(await readPolicyFolder(shell, folder))
  const { formatted, issues, results } = checked
  if (write) for (const [name, text] of Object.entries(formatted)) await writeFile(join(folderPath(shell, folder), name), text)
  const unformatted = write ? [] : Object.keys(formatted)
  const failing = results.filter(({ problem }) => problem !== undefined)
  if (json) await printJson(shell, { ...checked, formatted: undefined, unformatted })
  else await print(shell, checked, unformatted)
  return issues.length + failing.length + unformatted.length === 0 ? exit.yes : exit.no
}

async function print(shell: Shell, { issues, policies: count, results, unexercised }: PolicyCheck, unformatted: readonly string[]) {
  for (const { path, message } of issues) shell.err(`${safeText(path.join('.'))}: ${safeText(message)}\n`)
  for (const { file, name, problem } of results)
    if (problem !== undefined) shell.err(`${safeText(file)}: ${safeText(name)}: ${safeText(problem)}\n`)
  for (const id of unexercised) shell.err(`No case exercises the policy ${safeText(id)}.\n`)
  for (const file of unformatted) shell.err(`${safeText(file)} is not formatted: \`--write\` does that.\n`)
  const passed = results.filter(({ problem }) => problem === undefined).length
  const told = issues.length > 0 ? 'no case was asked' : `${passed} of ${counted(results.length, 'case')} passed`
  await shell.out(`${count} ${count === 1 ? 'policy' : 'policies'}, ${told}.\n`)
}
