import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { mapText } from '../../test/world.ts'
import type { DecisionLine } from '../deciding/decision-log.ts'
import { readEnvironment } from '../environment.ts'
import { deployedAuthorizer } from './deployed-authorizer.ts'

const folders: string[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** The package of a function. */
function packed({ map = mapText(), policies = starterFiles }: { map?: string; policies?: Readonly<Record<string, string>> } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'freehold-authorizer-'))
  folders.push(folder)
  mkdirSync(join(folder, 'policies'))
  writeFileSync(join(folder, 'authorizer.yaml'), map)
  for (const [name, text] of Object.entries(policies)) writeFileSync(join(folder, 'policies', name), text)
  return folder
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

  test.each([
    ['a map that is wrong', { map: 'routes: []' }, {}, 'token'],
    ['policies that are wrong', { policies: { ...starterFiles, 'more.cedar': 'permit (principal' } }, {}, 'more.cedar'],
    ['no schema', { policies: { 'a.cedar': '' } }, {}, 'schema.cedarschema'],
    ['another map', {}, { FREEHOLD_AUTHORIZER_MAP: 'other.yaml' }, 'other.yaml'],
    ['another folder', {}, { FREEHOLD_POLICIES: 'other' }, 'other'],
    [
      'no secret',
      { map: mapText((text) => text.replace(/algorithms.*\n.*keys.*/, 'algorithms: [HS256]\n  keys: secret')) },
      {},
      'is missing',
    ],
    ['another form of answers', {}, { FREEHOLD_HTTP_ANSWERS: 'both' }, 'neither simple nor iam'],
  ])('with %s does not start', async (_, of, env, sentence) => {
    await expect(deployedAuthorizer({ LAMBDA_TASK_ROOT: packed(of), ...nowhere, ...env })).rejects.toThrow(sentence)
  })

  test('reads the links of templates', async () => {
    const template = '@id("viewers")\npermit (principal == ?principal, action == Action::"viewTicket", resource);'
    const policies = { ...starterFiles, 'viewers.cedar': template }
    const link = { id: 'ada views', template: 'viewers', principal: { type: 'User', id: '01J00000000000000000000001' } }
    const linked = { ...policies, 'links.json': JSON.stringify([link]) }
    await expect(deployedAuthorizer({ LAMBDA_TASK_ROOT: packed({ policies }), ...nowhere })).rejects.toThrow('which nothing links')
    await expect(deployedAuthorizer({ LAMBDA_TASK_ROOT: packed({ policies: linked }), ...nowhere })).resolves.toBeTypeOf('function')
  })

  test('reads its environment, in which an empty variable counts as absent', () => {
    vi.stubEnv('FREEHOLD_TABLE', 'mine')
    vi.stubEnv('FREEHOLD_POLICIES', '')
    expect(readEnvironment()).toMatchObject({ FREEHOLD_TABLE: 'mine' })
    expect(readEnvironment()).not.toHaveProperty('FREEHOLD_POLICIES')
  })
})
