import { getEventListeners, once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { HttpHandler } from './http-handler.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A handler with one connection to a server that answers each request, by its path, as it is told. */
async function handlerOf(answer: (path: string, socket: Socket) => void) {
  const seen: string[] = []
  const server = createServer((socket) => {
    ends.push(() => socket.destroy())
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const [, path] = /^POST \/(\S+)/.exec(String(data)) ?? []
      if (path === undefined) return
      seen.push(path)
      answer(path, socket)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const handler = new HttpHandler(1)
  ends.push(() => {
    handler.destroy()
    server.close()
  })
  const ask = async (path: string, abortSignal?: AbortSignal) => {
    const { response } = await handler.handle(
      { protocol: 'http:', hostname: '127.0.0.1', port, path: `/${path}`, headers: {}, body: '{}' },
      { abortSignal },
    )
    return response
  }
  return { ask, seen }
}

const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'

test('headers are those of the answer itself, by their names in lower case', async () => {
  const { ask } = await handlerOf((_, socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n')
    socket.write('HTTP/1.1 400 Bad Request\r\nDate: then\r\nAge:\r\nX-Twice: 1\r\nx-twice: 2\r\nContent-Length: 2\r\n\r\n{}')
  })
  const { statusCode, headers, body } = await ask('a')
  expect(headers).toEqual({ date: 'then', age: '', 'x-twice': '2', 'content-length': '2' })
  expect([statusCode, String(body)]).toEqual([400, '{}'])
})

test('a request whose signal aborts while it waits for a connection is never sent', async () => {
  let release = () => {}
  const { ask, seen } = await handlerOf((path, socket) => {
    if (path === 'first') release = () => socket.write(whole)
    else socket.write(whole)
  })
  const first = ask('first')
  const controller = new AbortController()
  const waiting = ask('aborted', controller.signal)
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  release()
  await first
  await ask('last')
  expect(seen).toEqual(['first', 'last'])
})

test('no request leaves anything on its signal, answered, failed or aborted', async () => {
  const { ask } = await handlerOf((path, socket) => {
    if (path === 'answered') socket.write(whole)
    if (path === 'failed') socket.destroy()
  })
  const controller = new AbortController()
  const { signal } = controller
  await ask('answered', signal)
  await expect(ask('failed', signal)).rejects.toThrow()
  expect(getEventListeners(signal, 'abort')).toEqual([])
  const aborted = ask('aborted', signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  controller.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
