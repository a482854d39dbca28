import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { designModules } from '@freehold/designs'
import type { Sender } from '@freehold/table/runtime'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { type Setup, startService } from '../../test/serving.ts'
import type { DecisionLine, DecisionLog } from './decision-log.ts'
import { lineQueue } from './line-queue.ts'
import { createMetrics } from './metrics.ts'
import { rotatedFile } from './rotated-file.ts'

const module = designModules.get('rebac') ?? {}
const ends: (() => void)[] = []
const folder = temporaryFolder()
afterAll(() => {
  for (const end of ends) end()
})

/** A service of rebac with one location, and the lines of its decisions. */
async function deciding(log: Partial<DecisionLog> = {}, setup: Setup = {}) {
  const decided: DecisionLine[] = []
  const decisionLog: DecisionLog = { write: (line) => decided.push(line), ...log }
  const service = await startService({ module, decisionLog, ...setup })
  return { ...service, decided }
}

async function located(log: Partial<DecisionLog> = {}) {
  const service = await deciding(log)
  expect(await service.call('POST', '/v1/rebac/flows/createLocation', { locationCode: 'NYC', name: 'New York' })).toMatchObject({
    status: 200,
  })
  return service
}

const asked = { user: 'ada@example.org', location: 'NYC', page: 'dashboard' }

describe('a decision', () => {
  test('of each surface has its line, with its request, its key, what was asked, and why', async () => {
    const { call, decided, lines } = await located()
    const { body, headers } = await call('POST', '/v1/rebac/can', asked)
    await call('POST', '/v1/rebac/why', asked)
    await call('POST', '/v1/rebac/can', { questions: [asked, { ...asked, page: 'other' }] })
    await call('POST', '/v1/rebac/where', { user: 'ada@example.org', page: 'dashboard' })
    await call('POST', '/authzen/rebac/access/v1/evaluations', {
      subject: { type: 'user', id: 'ada@example.org' },
      action: { name: 'open' },
      evaluations: [{ resource: { type: 'page', id: 'dashboard' }, context: { location: 'NYC' } }],
    })
    const [can, why, first, second, where] = decided
    expect(can).toEqual({
      time: expect.stringMatching(/Z$/),
      request: headers.get('x-request-id'),
      key: lines.at(-1)?.key,
      design: 'rebac',
      question: 'can',
      asked,
      outcome: 'denied',
      reason: body.reason,
      roundTrips: expect.any(Number),
      ms: expect.any(Number),
    })
    expect(can?.roundTrips).toBeGreaterThan(0)
    expect(why).toMatchObject({
      question: 'why',
      outcome: 'denied',
      evidence: { missing: expect.arrayContaining([expect.objectContaining({ state: 'missing' })]) },
    })
    expect([first?.asked.page, second?.asked.page]).toEqual(['dashboard', 'other'])
    expect(first?.request).toBe(second?.request)
    expect(where).toMatchObject({ question: 'where' })
    expect(new Set(decided.map(({ request }) => request)).size).toBeGreaterThanOrEqual(4)
    for (const { request } of decided) expect(lines.map((line) => line.request)).toContain(request)
  })

  test('tells its caller no more than without the log', async () => {
    const [logged, plain] = [await located({ hasEvidence: true }), await startService({ module })]
    const unknown = { ...asked, user: 'nobody@example.org', location: 'none' }
    const answers = await Promise.all([logged, plain].map(({ call }) => call('POST', '/v1/rebac/can', unknown)))
    expect(answers[0]?.body).toEqual(answers[1]?.body)
  })

  test('of denials only, or of a part', async () => {
    const denials = await located({ which: 'denials' })
    await denials.call('POST', '/v1/rebac/can', asked)
    await denials.call('POST', '/v1/rebac/who', { location: 'NYC', page: 'nowhere' })
    await denials.call('POST', '/v1/rebac/what', { user: 'ada@example.org', location: 'NYC' })
    expect(denials.decided.map(({ outcome }) => outcome)).not.toContain('listed')
    const none = await deciding({ which: 0 })
    await none.call('POST', '/v1/rebac/can', asked)
    expect(none.decided).toEqual([])
    const all = await deciding({ which: 1 })
    await all.call('POST', '/v1/rebac/can', asked)
    expect(all.decided).toHaveLength(1)
  })

  test('has the evidence of a can, read after its answer, if the log is to have it', async () => {
    const pending: Promise<void>[] = []
    const { call, decided } = await located({ hasEvidence: true, pending: (line) => pending.push(line) })
    expect((await call('POST', '/v1/rebac/can', asked)).body).not.toHaveProperty('missing')
    expect(pending).toHaveLength(1)
    await Promise.all(pending)
    expect(decided).toHaveLength(1)
    expect(decided[0]?.evidence?.missing).toContainEqual(expect.objectContaining({ state: 'missing' }))
  })

  test('has no malformed question, no unknown field, no secret, and no more of a text than means something', async () => {
    const { call, decided, key } = await located()
    await call('POST', '/v1/rebac/can', { ...asked, password: 'hunter2' })
    await call('POST', '/v1/rebac/can', { user: key, location: 'NYC', page: 'x'.repeat(1000) })
    expect(JSON.stringify(decided)).not.toContain('hunter2')
    expect(JSON.stringify(decided)).not.toContain(key)
    expect(JSON.stringify(decided)).not.toContain('x'.repeat(257))
  })
})

describe('a log that fails', () => {
  test('or is slow makes no decision fail', async () => {
    const { call } = await deciding({
      write: () => {
        throw new Error('full')
      },
    })
    expect(await call('POST', '/v1/rebac/can', asked)).toMatchObject({ status: 200, body: { allowed: false } })
  })

  test('as little as evidence that cannot be read', async () => {
    let isBroken = false
    const { decided, call, table } = await located({ hasEvidence: true })
    const broken: Sender = {
      send: (...sent) => (isBroken ? Promise.reject(new Error('gone')) : table.runtime.sender.send(...sent)),
      close: () => {},
    }
    await call('POST', '/v1/rebac/can', asked)
    isBroken = true
    await expect.poll(() => decided.length).toBe(1)
    const faulty = await deciding({ hasEvidence: true }, { sender: broken, patience_ms: 0 })
    expect(await faulty.call('POST', '/v1/rebac/can', asked)).toMatchObject({ status: 503 })
    expect(faulty.decided).toMatchObject([{ outcome: 'fault', reason: { kind: 'fault' } }])
  })

  test('drops what it cannot hold, and counts that', async () => {
    const metrics = createMetrics()
    let release = () => {}
    const stalled = new Promise<void>((resolve) => {
      release = resolve
    })
    const written: string[] = []
    const problems: unknown[] = []
    const append = async (lines: string) => {
      await stalled
      written.push(lines)
    }
    const queue = lineQueue({ append, held_chars_max: 100, onDrop: metrics.dropped, onProblem: (error) => problems.push(error) })
    for (let count = 0; count < 20; count++) queue.write({ count })
    const { values = [] } = (await metrics.registry.getSingleMetric('freehold_decision_log_dropped_total')?.get()) ?? {}
    const dropped = values[0]?.value ?? 0
    expect(dropped).toBeGreaterThan(0)
    expect(problems).toEqual([undefined])
    release()
    await queue.close()
    expect(written.join('').split('\n').filter(Boolean)).toHaveLength(20 - dropped)
    queue.write({ count: 20 })
    await queue.close()
    expect(written.join('')).toContain('{"count":20}\n')
  })

  test('goes on once its disk does', async () => {
    let isFull = true
    const written: string[] = []
    const told: unknown[] = []
    const append = async (lines: string) => {
      if (isFull) throw new Error('full')
      written.push(lines)
    }
    let drops = 0
    const queue = lineQueue({
      append,
      onDrop: (count) => {
        drops += count
      },
      onProblem: (error) => told.push(error),
    })
    for (const count of [1, 2]) {
      queue.write({ count })
      await queue.close()
    }
    isFull = false
    queue.write({ count: 3 })
    await queue.close()
    expect([drops, told.length, written]).toEqual([2, 1, ['{"count":3}\n']])
  })
})

describe('the file of a log', () => {
  test('is for its owner alone, and is put aside when it is full', async () => {
    const path = join(folder, 'log.jsonl')
    const file = rotatedFile({ path, bytes_max: 20, files_max: 2 })
    for (const line of ['one', 'two', 'three', 'four', 'five']) await file.append(`${line.padEnd(11)}\n`)
    await file.close()
    const read = (each: string) => readFileSync(each, 'utf8').trim()
    expect([path, `${path}.1`, `${path}.2`].map(read)).toEqual(['five', 'four', 'three'])
    expect(() => read(`${path}.3`)).toThrow()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const again = rotatedFile({ path, bytes_max: 0 })
    await again.append('six\n')
    await again.close()
    expect(read(path)).toBe('five       \nsix')
  })

  test('that cannot be opened is tried again', async () => {
    const path = join(folder, 'later', 'log.jsonl')
    const file = rotatedFile({ path })
    await expect(file.append('lost\n')).rejects.toThrow('ENOENT')
    const { mkdirSync } = await import('node:fs')
    mkdirSync(join(folder, 'later'))
    await file.append('kept\n')
    await file.close()
    expect(readFileSync(path, 'utf8')).toBe('kept\n')
  })
})
