import { expect } from 'vitest'
import type { EffectsOf } from './effect.ts'
import { narrow } from './served.ts'

const ask = { user: 'ada@example.org', location: 'NYC001', page: 'reports' }

export const limits: EffectsOf<'Limits of requests'> = {
  bodyBytesMax: async () => {
    const { call, bodyBytesMax } = await narrow()
    const body = JSON.stringify(ask)
    expect((await call('POST', '/v1/rebac/can', body.padEnd(bodyBytesMax))).status).toBe(200)
    const refused = await call('POST', '/v1/rebac/can', body.padEnd(bodyBytesMax + 1))
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining(`${bodyBytesMax} bytes`) })
  },
  queryBytesMax: async () => {
    const { call, queryBytesMax } = await narrow()
    expect((await call('GET', '/v1/rebac/patterns/users?limit=1')).status).toBe(200)
    const answer = await call('GET', `/v1/rebac/patterns/users?cursor=${'x'.repeat(queryBytesMax)}`)
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining(String(queryBytesMax)) })
  },
  questionsMax: async () => {
    const { call, questionsMax } = await narrow()
    const questions = Array.from({ length: questionsMax + 1 }, () => ask)
    expect((await call('POST', '/v1/rebac/can', { questions: questions.slice(1) })).status).toBe(200)
    expect((await call('POST', '/v1/rebac/can', { questions })).status).toBe(400)
  },
}
