import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  createAuthorizer,
  type Identify,
  type LambdaAnswer,
  lambdaAuthorizer,
  packAuthorizer,
  packedFile,
  readAuthorizerMap,
  secretOf,
} from '@freehold/authorizer'
import { authorizationModule, decideAuthorization } from '@freehold/designs/authorization'
import { folderOf } from '@freehold/frame'
import { localEngine, type PolicyEngine } from '@freehold/frame/cedar'
import { utf8Text } from '@freehold/frame/reading'
import { FreeholdError } from '@freehold/table'
import { readablePath } from '../input/input-file.ts'
import { invalid } from '../input/invalid.ts'
import { readJsonObject } from '../input/json-object.ts'
import { readPolicyFolder } from '../input/policy-folder.ts'
import { moduleNamed } from '../naming/named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { type PoliciesNamed, policiesNamed } from '../opening/policies-named.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, jsonLine, printJson, type Shell } from '../shell.ts'

export interface AuthorizerOptions extends TableOptions {
  readonly map: string
  readonly policies?: string
  readonly store?: string
  readonly httpAnswers: 'simple' | 'iam'
}

const isAllowed = (answer: LambdaAnswer): boolean =>
  'policyDocument' in answer ? answer.policyDocument.Statement[0].Effect === 'Allow' : answer.isAuthorized

/** Works with the map and the policies of an authorizer: answers an event, or packs them. */
export async function authorizer(shell: Shell, [verb, file]: readonly string[], options: AuthorizerOptions): Promise<Exit> {
  return verb === 'pack' ? pack(shell, file ?? packedFile, options) : invoke(shell, file, options)
}

const textOf = async (shell: Shell, path: string) => utf8Text(await readFile(await readablePath(shell, path)), `The file ${safeText(path)}`)

/** The text of the map. A folder without one is the usual mistake, so that its error says how to name another. */
async function mapText(shell: Shell, { map }: AuthorizerOptions): Promise<string> {
  try {
    return await textOf(shell, map)
  } catch (error) {
    if (!(error instanceof FreeholdError)) throw error
    throw invalid(`${error.message} It is the map of routes: write it, or name another with --map.`)
  }
}

/** What decides: an option counts in place of settings. Throws `InvalidInput` where both are named alike. */
function namedBy(shell: Shell, { policies: path, store }: AuthorizerOptions): PoliciesNamed {
  if (path !== undefined && store !== undefined) throw invalid('Give --policies or --store, not both: one of them decides.')
  if (path !== undefined) return { path }
  if (store === '') throw invalid('--store names no policy store.')
  if (store !== undefined) return { store }
  const folder = folderOf(moduleNamed(shell, 'authorization'))
  return (folder && policiesNamed(shell, folder)) ?? { path: 'policies' }
}

/** The engine of what decides, and its end. */
async function engineOf(shell: Shell, named: PoliciesNamed): Promise<{ readonly policies: PolicyEngine; readonly close: () => void }> {
  if ('path' in named) return { policies: await localEngine(await readPolicyFolder(shell, named.path)), close: () => {} }
  // Loaded here, since it brings another client of AWS.
  const { storedEngine } = await import('../policies/stored-engine.ts')
  const policies = await storedEngine(named.store)
  return { policies, close: () => policies.close() }
}

/** Checks map and policies, and writes what a function need not check again. */
async function pack(shell: Shell, file: string, options: AuthorizerOptions): Promise<Exit> {
  const named = namedBy(shell, options)
  if ('store' in named) throw invalid('A policy store has nothing to pack: name the folder of policies with --policies.')
  const packed = await packAuthorizer(await mapText(shell, options), await readPolicyFolder(shell, named.path))
  await writeFile(resolve(shell.cwd, file), JSON.stringify(packed)).catch((cause: unknown) => {
    throw invalid(`The file ${safeText(file)} cannot be written.`, cause)
  })
  if (options.json === true) await printJson(shell, { written: [file] })
  else await shell.out(`Wrote ${safeText(file)}.\n`)
  return exit.yes
}

/** Answers an event of a gateway as the deployed authorizer does, and exits with 1 if it is denied. The log goes to stderr, as Lambda's goes to CloudWatch. */
async function invoke(shell: Shell, event: string | undefined, options: AuthorizerOptions): Promise<Exit> {
  if (event === undefined) throw invalid('An event is missing: give a file that has it, or - for stdin.')
  const module = moduleNamed(shell, 'authorization')
  const map = readAuthorizerMap(await mapText(shell, options))
  const given = await readJsonObject(shell, event === '-' ? event : await textOf(shell, event), 'The event')
  const { policies, close } = await engineOf(shell, namedBy(shell, options))
  const answered = withTable(shell, { module, name: 'freehold authorizer', isReading: true }, options, async ({ table, runtime }) => {
    const decider = decideAuthorization(policies)(runtime)
    const secret = secretOf(shell.settings.tokenSecret)
    const log = (line: object) => shell.err(jsonLine(line))
    const identify: Identify = ({ provider, subject }) => authorizationModule.flows.userIdentified(table, provider, subject)
    const handler = lambdaAuthorizer(createAuthorizer({ map, decider, policies, identify, secret, log, now: shell.now }), options)
    try {
      const answer = await handler(given)
      await printJson(shell, answer)
      return isAllowed(answer) ? exit.yes : exit.no
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'Unauthorized') throw error
      // As Lambda tells an error to the gateway.
      await printJson(shell, { errorMessage: error.message, errorType: error.name })
      return exit.no
    }
  })
  return answered.finally(close)
}
