import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { freshFolder } from '../../test/processes.ts'
import { freehold } from '../../test/recorded-shell.ts'
import { bundleCommand, endSpawned, spawnCommand } from '../../test/spawned.ts'

afterEach(endSpawned)

const callers = 8
/** So many answers come before the server is killed. */
const answers_min = 40

test('of a server that is killed while it writes, each acknowledged write is there, and the next server goes on', async () => {
  const directory = freshFolder()
  const module = await bundleCommand()
  const serve = async () => {
    const port = await freePort()
    const served = spawnCommand(['serve', '--design', 'rebac', '--port', String(port)], { module, cwd: dirname(directory) })
    await served.says('In another terminal:')
    return { ...served, port }
  }
  const create = async (port: number, displayName: string): Promise<number> => {
    const key = readFileSync(join(directory, 'first-key'), 'utf8').trim()
    const answer = await fetch(`http://127.0.0.1:${port}/v1/rebac/flows/createUser`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ displayName }),
    })
    return answer.status
  }

  const killed = await serve()
  const acknowledged: string[] = []
  const callUntilKilled = async (_: unknown, caller: number): Promise<void> => {
    for (let count = 0; ; count += 1) {
      const displayName = `Caller ${caller} ${count}`
      const status = await create(killed.port, displayName).catch(() => undefined)
      if (status === undefined) return
      expect(status).toBe(200)
      acknowledged.push(displayName)
      if (acknowledged.length === answers_min) killed.process.kill('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: callers }, callUntilKilled))
  expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' })
  expect(acknowledged.length).toBeGreaterThanOrEqual(answers_min)

  const next = await serve()
  expect(await create(next.port, 'Caller after')).toBe(200)
  const { out } = await freehold(['query', 'rebac', 'users', '--all', '--json', '--data', directory], { env: {} })
  const found = new Set([...out.matchAll(/"displayName":"(Caller [^"]+)"/g)].map(([, name]) => name))
  expect([...acknowledged, 'Caller after'].filter((name) => !found.has(name))).toEqual([])
})
