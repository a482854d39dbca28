import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { binary, cleanUp, enginesOn, freshFolder, itemOf, keepWord, keptWord, portToUse } from '../../test/processes.ts'
import { isLoopback } from './address.ts'
import { makeDataFolder } from './data-folder.ts'
import { inMemory } from './engine-run.ts'
import { startEngine } from './start.ts'

afterEach(cleanUp)

function freshData(): { directory: string; data: string } {
  const directory = freshFolder()
  makeDataFolder(directory)
  return { directory, data: join(directory, 'freehold.db') }
}

function killHard(pid: number | undefined): void {
  if (pid === undefined) throw new Error('No engine runs.')
  process.kill(pid, 'SIGKILL')
}

describe('an engine that is started', () => {
  test('answers at its endpoint, until it is stopped', async () => {
    const engine = await startEngine({ binary, data: inMemory })
    expect(await (await fetch(engine.endpoint)).text()).toContain('healthy')
    await engine.stop()
    await expect(fetch(engine.endpoint)).rejects.toThrow()
    expect(await engine.exited).toEqual({ reason: 'stopped' })
    expect(engine.pid()).toBeUndefined()
  })

  test.runIf(process.platform === 'linux')('listens where no web page finds it: not at its port of 127.0.0.1', async () => {
    const engines = await Promise.all([1, 2, 3].map(() => startEngine({ binary, data: inMemory })))
    const hosts = engines.map(({ endpoint }) => new URL(endpoint).hostname)
    expect(new Set(hosts).size).toBe(3)
    for (const { endpoint } of engines) {
      expect(isLoopback(new URL(endpoint).hostname)).toBe(true)
      expect((await fetch(endpoint)).status).toBe(200)
      await expect(fetch(`http://127.0.0.1:${new URL(endpoint).port}`)).rejects.toThrow('fetch failed')
    }
    await Promise.all(engines.map((engine) => engine.stop()))
  })

  test('may be stopped twice, and at once', async () => {
    const engine = await startEngine({ binary, data: inMemory })
    await Promise.all([engine.stop(), engine.stop()])
    await engine.stop()
    expect(await engine.exited).toEqual({ reason: 'stopped' })
    expect(engine.pid()).toBeUndefined()
  })

  test('ends though a client has sent half a request and waits', async () => {
    const engine = await startEngine({ binary, data: inMemory })
    const { hostname, port } = new URL(engine.endpoint)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write('POST / HTTP/1.1\r\ncontent-length: 9\r\n\r\nhalf')
    // Its answer to a later request shows that it has taken the connection.
    await fetch(engine.endpoint)
    await engine.stop()
    expect(await engine.exited).toEqual({ reason: 'stopped' })
    socket.destroy()
  })

  test('says that its port is in use', async () => {
    const port = await portToUse()
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    const starting = startEngine({ binary, data: inMemory, port })
    await expect(starting).rejects.toMatchObject({ code: 'Unavailable', details: { port } })
    await expect(starting).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use by another program`)
    other.close()
  })

  test.each([-1, 65_536, 1.5])('refuses %d as a port', async (port) => {
    await expect(startEngine({ binary, data: inMemory, port })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('repeats the last words of one that does not start', async () => {
    const starting = startEngine({ binary, data: join(freshFolder(), 'no', 'such', 'folder.db') })
    await expect(starting).rejects.toMatchObject({ code: 'Unavailable', message: expect.stringContaining('unable to open database file') })
  })

  test('says so when the binary cannot be run', async () => {
    await expect(startEngine({ binary: import.meta.filename, data: inMemory })).rejects.toMatchObject({
      code: 'Unavailable',
      message: expect.stringContaining('The embedded engine did not start'),
    })
  })
})

describe('an engine that dies', () => {
  test('is started again on the same port and data', async () => {
    const { directory, data } = freshData()
    const said: string[] = []
    const engine = await startEngine({ binary, data, log: (sentence) => said.push(sentence) })
    await keepWord(engine.endpoint, 'kept')
    const before = engine.pid()
    killHard(before)
    await expect.poll(() => keptWord(engine.endpoint).catch(() => 'no answer'), { timeout: 10_000 }).toEqual(itemOf('kept'))
    expect(engine.pid()).not.toBe(before)
    expect(enginesOn(directory)).toEqual([engine.pid()])
    expect(said).toEqual([expect.stringMatching(/^The embedded engine was ended by SIGKILL.* It is restarted\.$/)])
    await engine.stop()
    expect(enginesOn(directory)).toEqual([])
  })

  test('five times is given up at the sixth', async () => {
    const { directory, data } = freshData()
    let starts = 0
    const engine = await startEngine({
      binary,
      data,
      onProcess: (pid) => {
        starts += 1
        if (starts > 1) killHard(pid)
      },
    })
    killHard(engine.pid())
    expect(await engine.exited).toMatchObject({
      reason: 'failed',
      error: {
        code: 'Unavailable',
        message: expect.stringContaining('ended 6 times within a minute. The last time it was ended by SIGKILL'),
      },
    })
    expect(starts).toBe(6)
    expect(enginesOn(directory)).toEqual([])
    await engine.stop()
  })

  test('stays stopped when it is stopped before it runs again', async () => {
    const { directory, data } = freshData()
    let stopped: Promise<void> | undefined
    const engine = await startEngine({ binary, data, log: () => (stopped = engine.stop()) })
    killHard(engine.pid())
    expect(await engine.exited).toEqual({ reason: 'stopped' })
    await stopped
    expect(enginesOn(directory)).toEqual([])
  })

  test('is not started again when its data was in its memory', async () => {
    const engine = await startEngine({ binary, data: inMemory })
    killHard(engine.pid())
    expect(await engine.exited).toMatchObject({ reason: 'failed', error: { message: expect.stringContaining('in its memory is lost') } })
  })
})
