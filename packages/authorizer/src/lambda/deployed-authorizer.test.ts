import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { localEngine, policyFiles } from '@freehold/frame/cedar'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { mapText } from '../../test/world.ts'
import type { DecisionLine } from '../deciding/decision-log.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import { deployedAuthorizer, handlerByStore } from './deployed-authorizer.ts'
import { dynamoOf } from './dynamo-of.ts'
import { packAuthorizer } from './pack-authorizer.ts'
import { packedFile } from './packed-authorizer.ts'

afterEach(() => vi.unstubAllEnvs())

const inWindows = (text: string) => Buffer.from(text, 'latin1')

/** The package of a function. */
interface Packed {
  readonly map?: string | Uint8Array
  readonly policies?: Readonly<Record<string, string | Uint8Array>>
}

function packed({ map = mapText(), policies = starterFiles }: Packed = {}): string {
  const kept = Object.entries(policies).map(([name, text]) => [`policies/${name}`, text])
  return temporaryFolder({ 'authorizer.yaml': map, ...Object.fromEntries(kept) })
}

const nowhere = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }

describe('a deployed authorizer', () => {
  test('reads its map and its policies beside it, and answers', async () => {
    const lines: DecisionLine[] = []
    const handler = await deployedAuthorizer({ LAMBDA_TASK_ROOT: packed(), ...nowhere }, (line) => lines.push(line))
    const answer = await handler({ version: '2.0', routeArn: 'arn:aws:x', rawPath: '/', requestContext: { http: { method: 'GET' } } })
    expect(answer).toEqual({ isAuthorized: false })
    expect(lines).toMatchObject([{ reason: { code: 'TokenMissing' } }])
  })

  test.each<[string, Packed, Environment, string]>([
    ['a map that is wrong', { map: 'routes: []' }, {}, 'token'],
    ['policies that are wrong', { policies: { ...starterFiles, 'more.cedar': 'permit (principal' } }, {}, 'more.cedar'],
    ['a map that is not UTF-8', { map: inWindows('\n# \xfc') }, {}, 'The file authorizer.yaml is not UTF-8 (line 2).'],
    [
      'policies that are not UTF-8',
      { policies: { ...starterFiles, 'a.cedar': inWindows('// \xfc') } },
      {},
      'The file a.cedar is not UTF-8',
    ],
    ['no schema', { policies: { 'a.cedar': '' } }, {}, 'schema.cedarschema'],
    ['another map', {}, { FREEHOLD_AUTHORIZER_MAP: 'other.yaml' }, 'other.yaml'],
    ['another folder', {}, { FREEHOLD_POLICIES: 'other' }, 'other'],
    [
      'no secret',
      { map: mapText((text) => text.replace(/algorithms.*\n.*keys.*/, 'algorithms: [HS256]\n  keys: secret')) },
      {},
      'is missing',
    ],
    ['a policy store that nothing opens', {}, { FREEHOLD_POLICY_STORE: 'PS1' }, 'handlerByStore'],
    ['a policy store beside a folder', {}, { FREEHOLD_POLICY_STORE: 'PS1', FREEHOLD_POLICIES: 'policies' }, 'one of them decides'],
    ['another form of answers', {}, { FREEHOLD_HTTP_ANSWERS: 'both' }, 'neither simple nor iam'],
  ])('with %s does not start', async (_, of, env, sentence) => {
    await expect(deployedAuthorizer({ LAMBDA_TASK_ROOT: packed(of), ...nowhere, ...env })).rejects.toThrow(sentence)
  })

  test('checks its map by the policy store that is named, and needs no folder', async () => {
    const root = packed({ policies: {} })
    const named = { LAMBDA_TASK_ROOT: root, FREEHOLD_POLICY_STORE: 'PS1', ...nowhere }
    const opened: unknown[] = []
    const openStore = (actions: boolean) => async (store: unknown) => {
      opened.push(store)
      const engine = await localEngine(policyFiles(new Map(Object.entries(starterFiles))))
      return actions ? engine : { ...engine, actionsOn: () => [] }
    }
    await expect(deployedAuthorizer(named, () => {}, openStore(true))).resolves.toBeTypeOf('function')
    expect(opened).toEqual([{ policyStoreId: 'PS1', patience_ms: 4_000, attempt_ms: 1_500 }])
    await expect(deployedAuthorizer(named, () => {}, openStore(false))).rejects.toThrow('closeTicket')
    for (const [name, value] of Object.entries(named)) vi.stubEnv(name, value)
    await expect(handlerByStore(openStore(true))).resolves.toBeTypeOf('function')
  })

  test('reads the links of templates', async () => {
    const template = '@id("viewers")\npermit (principal == ?principal, action == Action::"viewTicket", resource);'
    const policies = { ...starterFiles, 'viewers.cedar': template }
    const link = { id: 'ada views', template: 'viewers', principal: { type: 'User', id: '01J00000000000000000000001' } }
    const linked = { ...policies, 'links.json': JSON.stringify([link]) }
    await expect(deployedAuthorizer({ LAMBDA_TASK_ROOT: packed({ policies }), ...nowhere })).rejects.toThrow('which nothing links')
    await expect(deployedAuthorizer({ LAMBDA_TASK_ROOT: packed({ policies: linked }), ...nowhere })).resolves.toBeTypeOf('function')
  })

  test('takes what was packed of the same files, and nothing that was packed of others', async () => {
    const started = (folder: string) => deployedAuthorizer({ LAMBDA_TASK_ROOT: folder, ...nowhere })
    const packedOf = (map: string, policies: Readonly<Record<string, string>>) =>
      packAuthorizer(map, policyFiles(new Map(Object.entries(policies))))
    const withPacked = (held: unknown, of = {}) => {
      const folder = packed(of)
      writeFileSync(join(folder, packedFile), JSON.stringify(held))
      return folder
    }
    const own = await packedOf(mapText(), starterFiles)
    await expect(started(withPacked(own))).resolves.toBeTypeOf('function')
    // It is what counts, and not the texts: an action that it does not declare is unknown.
    const less = { ...own, policies: { ...own.policies, declared: { types: [], actions: [] } } }
    await expect(started(withPacked(less))).rejects.toThrow('which the schema has not')
    const otherMap = { ...own, map: { ...own.map, value: {} } }
    await expect(started(withPacked(otherMap))).rejects.toThrow('token')
    // Of files that have changed since, the files count.
    const more = { ...starterFiles, 'more.cedar': 'permit (principal' }
    await expect(started(withPacked(own, { policies: more }))).rejects.toThrow('more.cedar')
    await expect(started(withPacked(own, { map: 'routes: []' }))).rejects.toThrow('token')
    await expect(started(withPacked(less, { policies: { ...starterFiles, 'none.cedar': '// nothing' } }))).resolves.toBeTypeOf('function')
    const broken = packed()
    writeFileSync(join(broken, packedFile), '{')
    await expect(started(broken)).rejects.toThrow('is not JSON')
    await expect(packedOf('routes: []', starterFiles)).rejects.toThrow('token')
    await expect(packedOf(mapText(), more)).rejects.toThrow('more.cedar')
  })

  test('reads its environment, in which an empty variable counts as absent', () => {
    vi.stubEnv('FREEHOLD_TABLE', 'mine')
    vi.stubEnv('FREEHOLD_POLICIES', '')
    expect(readEnvironment()).toMatchObject({ FREEHOLD_TABLE: 'mine' })
    expect(readEnvironment()).not.toHaveProperty('FREEHOLD_POLICIES')
  })
})

describe('a function reaches DynamoDB', () => {
  const lambda = {
    ...{ AWS_LAMBDA_FUNCTION_NAME: 'authorizer', AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'AKID' },
    ...{ AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'session' },
  }

  test('by what Lambda puts into its environment', () => {
    expect(dynamoOf(lambda)).toEqual({
      ...{ region: 'eu-central-1', endpoint: 'https://dynamodb.eu-central-1.amazonaws.com' },
      credentials: { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'session' },
    })
    expect(dynamoOf({ ...lambda, DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' })).toEqual({ endpoint: 'http://127.0.0.1:1' })
  })

  test.each<[string, Environment]>([
    ['outside Lambda', withoutEach('AWS_LAMBDA_FUNCTION_NAME')],
    ['without a session', withoutEach('AWS_SESSION_TOKEN')],
    ['in no region', withoutEach('AWS_REGION')],
    ['in China', { ...lambda, AWS_REGION: 'cn-north-1' }],
    ['in GovCloud', { ...lambda, AWS_REGION: 'us-gov-west-1' }],
    ['with FIPS', { ...lambda, AWS_USE_FIPS_ENDPOINT: 'true' }],
    ['with an endpoint for all services', { ...lambda, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }],
    ['with a file of settings', { ...lambda, AWS_CONFIG_FILE: '/opt/config' }],
  ])('%s as the AWS SDK finds', (_, env) => {
    expect(dynamoOf(env)).toEqual({})
  })

  function withoutEach(name: keyof typeof lambda): Environment {
    const { [name]: _, ...rest } = lambda
    return rest
  }
})
