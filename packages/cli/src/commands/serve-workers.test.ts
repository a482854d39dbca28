import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { afterEach, describe, expect, test } from 'vitest'
import { folder } from '../../test/recorded-shell.ts'
import { bundleCommand, endSpawned, type Spawned, spawnCommand } from '../../test/spawned.ts'
import { ticketQuestions, tickets } from '../sample/tickets.ts'

afterEach(endSpawned)

interface Crew extends Spawned {
  readonly address: string
  readonly key: string
  readonly cwd: string
  lines(): readonly Record<string, unknown>[]
  /** The ids of the workers' processes, as the log tells them. */
  pids(): readonly number[]
  call(method: string, path: string, body?: object): Promise<Response>
}

/** Workers of one server, with data of their own, in a folder with such files. */
async function crew(
  design = 'rebac',
  files: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
  count = 2,
): Promise<Crew> {
  const cwd = folder(files)
  const argv = ['serve', '--design', design, '--port', '0', '--workers', String(count), '--metrics-port', '0', '--json', ...more]
  const spawned = spawnCommand(argv, { module: await bundleCommand(), cwd, env: { FREEHOLD_WORKRES: 'x' } })
  await spawned.says('\n')
  const { address, keyFile } = JSON.parse(spawned.written.out)
  const key = readFileSync(keyFile, 'utf8').trim()
  const lines = () => spawned.written.err.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  const pids = () => lines().flatMap(({ message }) => /^The worker (\d+) listens/.exec(String(message))?.slice(1).map(Number) ?? [])
  const call: Crew['call'] = (method, path, body) =>
    fetch(`${address}${path}`, {
      method,
      // Another connection each time, which may be another worker's.
      headers: {
        Authorization: `Bearer ${key}`,
        Connection: 'close',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  await expect.poll(() => pids().length).toBe(count)
  return { ...spawned, address, key, cwd, lines, pids, call }
}

/** True while there is such a process. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('serve --workers', () => {
  test('is one server, which replaces a worker that was killed, and lets requests under way end when it is stopped', async () => {
    const { call, lines, pids, process: supervisor, ended } = await crew()
    expect(lines().filter(({ message }) => /^FREEHOLD_WORKRES /.test(String(message)))).toHaveLength(1)
    // A cursor of one worker is good at another.
    let next: string | undefined
    const names: unknown[] = []
    do {
      const page = await call('GET', `/v1/rebac/patterns/users?limit=1${next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`}`)
      expect(page.status).toBe(200)
      const { items, cursor } = JSON.parse(await page.text())
      names.push(...items.map(({ displayName }: { displayName: string }) => displayName))
      next = cursor
    } while (next !== undefined)
    expect(names.length).toBeGreaterThan(2)
    expect(await (await call('GET', '/v1/api-keys')).json()).toMatchObject({ keys: [{ name: 'first key' }] })

    // The sum has all, though each of the two answered some.
    const told = lines().flatMap(({ message }) => /^Metrics are at (.*)\.$/.exec(String(message))?.[1] ?? [])
    const counted = async () =>
      (await (await fetch(told[0] ?? '')).text()).match(/^freehold_http_requests_total\{.*patterns\/users.* (\d+)$/m)?.[1]
    expect(Number(await counted())).toBe(names.length)

    // What a worker that is killed has not written yet would be lost.
    await expect.poll(() => lines().filter(({ route }) => route === '/v1/rebac/patterns/users')).toHaveLength(names.length)
    const [killed = 0] = pids()
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => isThere(killed)).toBe(false)
    for (let count = 0; count < 10; count++) expect((await call('GET', '/v1')).status).toBe(200)
    await expect.poll(() => pids().length).toBe(3)

    const question = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }
    const asked = Array.from({ length: 20 }, () => call('POST', '/v1/rebac/can', question))
    await expect.poll(() => lines().some(({ route }) => route === '/v1/rebac/can')).toBe(true)
    supervisor.kill('SIGTERM')
    const outcomes = await Promise.allSettled(asked.map(async (each) => (await each).status))
    // A connection that nobody had accepted yet is refused. No answer is broken off.
    for (const outcome of outcomes) expect(outcome.status === 'fulfilled' ? outcome.value : 200).toBe(200)
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(pids().filter(isThere)).toEqual([])
  })

  test('decides by one state of its policies in all workers, also in one that begins while their folder is refused', async () => {
    const options = ['--policies', '.']
    const { call, cwd, lines, pids } = await crew('authorization', starterFiles, options)
    const ofFour = async () => {
      const answers: unknown[] = []
      // One after another, they are given to the two workers in turn.
      for (let count = 0; count < 4; count++) {
        const answer = await call('POST', '/v1/authorization/can', ticketQuestions.can)
        answers.push(JSON.parse(await answer.text()).allowed)
      }
      return answers
    }
    const { tenant, users } = tickets
    const [{ role: _, ...ada }] = users
    const made = async (flow: string, input: object) => {
      const answer = await call('POST', `/v1/authorization/flows/${flow}`, input)
      const result = JSON.parse(await answer.text())
      expect([flow, answer.status, result]).toEqual([flow, 200, expect.anything()])
      return result
    }
    await made('createTenant', tenant)
    await made('createUser', ada)
    const { roleId } = await made('createRole', { name: 'agent', scope: 'tenant' })
    await made('createGrant', { tenantId: tenant.tenantId, userId: ada.userId, roles: [roleId] })
    const [all, none] = [Array(4).fill(true), Array(4).fill(false)]
    expect(await ofFour()).toEqual(all)
    writeFileSync(join(cwd, 'closed.cedar'), '@id("closed")\nforbid (principal, action, resource);\n')
    await expect.poll(ofFour).toEqual(none)

    writeFileSync(join(cwd, 'closed.cedar'), 'permit everything')
    await expect.poll(() => lines().some(({ level, message }) => level === 'error' && String(message).startsWith('Kept what'))).toBe(true)
    const [killed = 0] = pids()
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => pids().length).toBe(3)
    expect(await ofFour()).toEqual(none)
    writeFileSync(join(cwd, 'closed.cedar'), '')
    await expect.poll(ofFour).toEqual(all)
  })

  test.each([2, 3])('of %i, when it is stopped, answers each connection that it has accepted, and refuses those after', async (count) => {
    const { call, process: supervisor, ended } = await crew('rebac', {}, [], count)
    const answers: number[] = []
    const connectAnew = async (): Promise<unknown> => {
      for (;;) {
        try {
          answers.push((await call('GET', '/v1')).status)
        } catch (error) {
          // What fetch throws has the system's error as its cause.
          return error instanceof TypeError && error.cause instanceof Error && 'code' in error.cause ? error.cause.code : error
        }
        if (answers.length === 100) supervisor.kill('SIGTERM')
      }
    }
    const failures = await Promise.all(Array.from({ length: 16 }, connectAnew))
    // The system resets a connection that nobody had accepted when the port was closed.
    for (const failure of failures) expect(['ECONNREFUSED', 'ECONNRESET']).toContain(failure)
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await ended).toEqual({ code: 0, signal: null })
  })

  test('ends its workers when it is killed itself', async () => {
    const { pids, process: supervisor } = await crew()
    supervisor.kill('SIGKILL')
    await expect.poll(() => pids().filter(isThere)).toEqual([])
  })

  test('on a port that is in use exits with 2, and says so', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    // A server that listens on TCP has an AddressInfo.
    const { port } = taken.address() as AddressInfo
    const argv = ['serve', '--design', 'rebac', '--port', String(port), '--workers', '2']
    const { ended, written } = spawnCommand(argv, { module: await bundleCommand(), cwd: folder({}) })
    expect(await ended).toEqual({ code: 2, signal: null })
    taken.close()
    expect(written.err).toContain(`Port ${port} of 127.0.0.1 is in use`)
  })
})
