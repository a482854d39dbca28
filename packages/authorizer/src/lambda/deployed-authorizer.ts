import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isPolicyFile, localEngine, type PolicyEngine, policyFiles } from '@freehold/frame/cedar'
import { secretOf } from '@freehold/frame/issuers'
import { utf8Text } from '@freehold/frame/reading'
import { invalidInput } from '@freehold/table/runtime'
import { graphqlReader } from '../deciding/asked-questions.ts'
import { type DecisionLog, jsonLog } from '../deciding/decision-log.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import type { AuthorizerMap } from '../map/authorizer-map.ts'
import { authorizerMapOf } from '../map/map-of.ts'
import { openAuthorizer } from '../open-authorizer.ts'
import { dynamoOf } from './dynamo-of.ts'
import { type LambdaAnswer, lambdaAuthorizer } from './lambda-authorizer.ts'
import { type PackedAuthorizer, packedFile, readPacked, versionOfText } from './packed-authorizer.ts'

/** A gateway waits for ten seconds at most. The table is given up before the function is ended, so that the log says why. */
const patience = { patience_ms: 4_000, attempt_ms: 1_500 }

const textIn = async (path: string) => utf8Text(await readFile(path), `The file ${basename(path)}`)

async function textsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter(isPolicyFile).sort()
  return new Map(await Promise.all(names.map(async (name): Promise<[string, string]> => [name, await textIn(join(folder, name))])))
}

async function packedIn(folder: string): Promise<PackedAuthorizer | undefined> {
  try {
    return readPacked(await textIn(join(folder, packedFile)))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function mapOf(text: string, packed: PackedAuthorizer | undefined): Promise<AuthorizerMap> {
  if (packed?.map.version === versionOfText(text)) return authorizerMapOf(packed.map.value)
  // Loaded here, since it brings the reader of YAML.
  const { readAuthorizerMap } = await import('../map/read-map.ts')
  return readAuthorizerMap(text)
}

/** Opens the policy store that the environment names: `verifiedPermissions` of `@freehold/service/verified-permissions`. */
export type OpenStore = (store: {
  readonly policyStoreId: string
  readonly patience_ms: number
  readonly attempt_ms: number
}) => Promise<PolicyEngine>

const invalid = (name: string, message: string) => invalidInput('The authorizer', [{ path: [name], message }])

async function policiesOf(env: Environment, root: string, packed: PackedAuthorizer | undefined, openStore: OpenStore | undefined) {
  const { FREEHOLD_POLICY_STORE: policyStoreId, FREEHOLD_POLICIES: folder } = env
  if (policyStoreId === undefined) return localEngine(policyFiles(await textsOf(resolve(root, folder ?? 'policies'))), packed?.policies)
  if (folder !== undefined) throw invalid('FREEHOLD_POLICY_STORE', 'is set beside FREEHOLD_POLICIES: one of them decides')
  if (openStore === undefined) throw invalid('FREEHOLD_POLICY_STORE', 'needs a function whose handler is made by handlerByStore')
  return openStore({ policyStoreId, ...patience })
}

/** The form of answers to an HTTP API. Throws `InvalidInput` for a word that is none. */
export function httpAnswersOf(word = 'simple'): 'simple' | 'iam' {
  if (word === 'simple' || word === 'iam') return word
  throw invalidInput('The authorizer', [{ path: ['FREEHOLD_HTTP_ANSWERS'], message: 'is neither simple nor iam' }])
}

/**
 * The handler of a function that is deployed with its map and its policies: `authorizer.yaml` and the folder `policies` beside it, unless the environment
 * says otherwise. All of it is read and checked before the first event; what `packAuthorizer` has made of the same files is taken instead.
 * @param openStore needed where the environment names a policy store in place of the folder
 * @throws InvalidInput if the map or the policies are wrong
 */
export async function deployedAuthorizer(
  env: Environment,
  log: DecisionLog = jsonLog((line) => process.stdout.write(`${line}\n`)),
  openStore?: OpenStore,
): Promise<(event: unknown) => Promise<LambdaAnswer>> {
  const root = env.LAMBDA_TASK_ROOT ?? '.'
  const mapFile = resolve(root, env.FREEHOLD_AUTHORIZER_MAP ?? 'authorizer.yaml')
  const [packed, mapText] = await Promise.all([packedIn(dirname(mapFile)), textIn(mapFile)])
  const [map, policies] = await Promise.all([mapOf(mapText, packed), policiesOf(env, root, packed, openStore)])
  // Before the first event, which would wait for it.
  if (map.fields.size > 0) await graphqlReader()
  const { FREEHOLD_TABLE: table, FREEHOLD_TOKEN_SECRET } = env
  const authorizer = openAuthorizer({
    ...{ map, policies, log, secret: secretOf(FREEHOLD_TOKEN_SECRET), dynamo: dynamoOf(env), ...patience },
    ...(table === undefined ? {} : { table }),
  })
  return lambdaAuthorizer(authorizer, { httpAnswers: httpAnswersOf(env.FREEHOLD_HTTP_ANSWERS) })
}

/**
 * The handler of a function that decides by the policy store which `FREEHOLD_POLICY_STORE` names, with its other settings from the environment, too.
 * A program exports `handler = await handlerByStore(verifiedPermissions)`. This package brings no client of Verified Permissions.
 */
export function handlerByStore(openStore: OpenStore): Promise<(event: unknown) => Promise<LambdaAnswer>> {
  return deployedAuthorizer(readEnvironment(), undefined, openStore)
}
