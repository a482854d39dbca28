import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { createService, openKeys } from '@freehold/service'
import { expect, test } from 'vitest'
import { aims } from '../../packages/designs/test/isolation/choose-step.ts'
import type { RunFlow } from '../../packages/designs/test/isolation/perform.ts'
import { runCourse } from '../../packages/designs/test/isolation/run-course.ts'
import { Tally } from '../../packages/designs/test/isolation/tally.ts'
import { worldAt } from '../../packages/designs/test/isolation/world.ts'
import { called } from '../../packages/service/test/serving.ts'
import { engineSender } from '../engine/endpoint.ts'
import { isDeep } from '../properties/depth.ts'

// The tenant isolation of account-management/isolation.test.ts, for a program that calls flows over HTTP as a user of a client.

const courses = isDeep ? 3 : 1
const stepsOfCourse = 800

test('no flow that is called as a user shows or changes what another client has', async () => {
  const module = designModules.get('account-management')
  if (module === undefined) throw new Error('account-management is not offered')
  const world = await worldAt(`isolation-${randomUUID()}`)
  const sender = engineSender()
  const keys = await openKeys({ sender, table: `keys-${randomUUID()}` })
  const { text: key } = await keys.newKey('test')
  const app = createService({ tables: new Map([[module.design.name, { module, table: world.table }]]), keys, log: () => {} })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const runFlow: RunFlow = async ({ subject, input, actor }) => {
    const body = JSON.stringify({ ...input, as: actor })
    const answer = await called(await app.request(`/v1/account-management/flows/${subject}`, { method: 'POST', headers, body }))
    // Each answer to a failure has its own name.
    const { instance: _, ...told } = answer.body
    return { ...(answer.status < 400 ? { gives: told } : { code: String(told.code) }), told: JSON.stringify([answer.status, told]) }
  }
  const among = aims.filter(({ kind }) => kind === 'flow')
  const tally = new Tally()
  for (let seed = 1; seed <= courses; seed++) await runCourse({ world, tally, among, runFlow }, seed, stepsOfCourse)
  if (isDeep) expect(tally.missing(['Denied', 'NotFound', 'InvalidInput'], among)).toEqual([])
  world.close()
  sender.close()
})
