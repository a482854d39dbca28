import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { createService, openKeys } from '@freehold/service'
import { isFreeholdError } from '@freehold/table'
import { expect, test } from 'vitest'
import { idOf } from '../../packages/designs/test/account-items.ts'
import { aims } from '../../packages/designs/test/isolation/choose-step.ts'
import type { AtFace } from '../../packages/designs/test/isolation/perform.ts'
import { plantation } from '../../packages/designs/test/isolation/plant.ts'
import { runCourse } from '../../packages/designs/test/isolation/run-course.ts'
import { Tally } from '../../packages/designs/test/isolation/tally.ts'
import { worldAt } from '../../packages/designs/test/isolation/world.ts'
import { type Called, called } from '../../packages/service/test/serving.ts'
import { entering } from '../callers/entering.ts'
import { issuer } from '../callers/tokens.ts'
import { engineSender } from '../engine/endpoint.ts'
import { isDeep } from '../properties/depth.ts'

// The tenant isolation of account-management/isolation.test.ts over HTTP: for a program that calls flows as a user of a client, and for the administrators
// of clients, who are people at the console.

const courses = isDeep ? 3 : 1
const stepsOfCourse = 800
const prefix = '/v1/account-management'

const sender = engineSender()
const issuers = [{ ...issuer, user: { claim: 'sub' } }]
const module = designModules.get('account-management')
if (module === undefined) throw new Error('account-management is not offered')
const world = await worldAt(`isolation-${randomUUID()}`)
const keys = await openKeys({ sender, table: `keys-${randomUUID()}` })
const tables = new Map([[module.design.name, { module, table: world.table }]])
const key = (await keys.newKey('test')).text
const app = createService({ tables, keys, issuers, log: () => {} })
const enter = entering(keys, tables, issuers)

const post = (path: string, body: object, headers: Readonly<Record<string, string>>) => ({
  path: prefix + path,
  init: { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
})
/** Each answer to a failure has its own name. */
const outcomeOf = ({ status, body: { instance: _, ...told } }: Called) => ({
  ...(status < 400 ? { gives: told } : { code: String(told.code) }),
  told: JSON.stringify([status, told]),
})

test('no flow that is called as a user shows or changes what another client has', async () => {
  const atFace: AtFace = async ({ kind, subject, input, actor }) => {
    if (kind !== 'flow') return undefined
    const { path, init } = post(`/flows/${subject}`, { ...input, as: actor }, { Authorization: `Bearer ${key}` })
    return outcomeOf(await called(await app.request(path, init)))
  }
  const among = aims.filter(({ kind }) => kind === 'flow')
  const tally = new Tally()
  for (let seed = 1; seed <= courses; seed++) await runCourse({ world, tally, among, atFace }, seed, stepsOfCourse)
  if (isDeep) expect(tally.missing(['Denied', 'NotFound', 'InvalidInput'], among)).toEqual([])
})

test('no administrator of a client is shown what another client has, nor changes it', async () => {
  const administratorOf = (client: string) =>
    idOf('user', (plantation.parties.findIndex(({ client_id }) => client_id === client) + 1) * 100 + 1)
  const sessions = new Map<string, string>()
  let answered = 0
  const atFace: AtFace = async ({ kind, subject, client, input, how, actor }) => {
    if (client === undefined) return undefined
    const asked = (session: string) => {
      const headers = { Cookie: `__Host-freehold_console=${session}`, 'X-Freehold-Console': '1' }
      if (kind === 'get') {
        const query = new URLSearchParams(Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]))
        return { path: `${prefix}/entities/${subject}?${query}`, init: { headers } }
      }
      if (kind === 'list') return post(`/query/${subject}`, { ...input, ...how }, headers)
      if (kind === 'question' && subject === 'canMany') return post('/can/many', { questions: input.items, ...how }, headers)
      if (kind === 'question') return post(`/${subject}`, { ...input, ...how }, headers)
      return kind === 'flow' && actor === administratorOf(client) ? post(`/flows/${subject}`, input, headers) : undefined
    }
    const send = async (session: string) => {
      const request = asked(session)
      return request && called(await app.request(request.path, request.init))
    }
    const first = await send(sessions.get(client) ?? '')
    if (first !== undefined && first.status !== 401) answered++
    if (first === undefined || first.status !== 401) return first && outcomeOf(first)
    try {
      // The course before has taken the session away, or its day is over.
      sessions.set(client, await enter('account-management', { id: administratorOf(client) }))
    } catch (error) {
      if (!isFreeholdError(error)) throw error
      // The administrator is disabled now, or its client is suspended.
      return { code: error.code, told: error.code }
    }
    return outcomeOf((await send(sessions.get(client) ?? '')) ?? first)
  }
  const among = aims.filter(({ kind }) => ['get', 'list', 'question', 'flow'].includes(kind))
  const tally = new Tally()
  for (let seed = 21; seed <= 20 + courses; seed++) await runCourse({ world, tally, among, atFace }, seed, stepsOfCourse)
  expect(answered).toBeGreaterThan(stepsOfCourse / 3)
})
