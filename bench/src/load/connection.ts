import { connect, type Socket } from 'node:net'

/** One connection that carries one request at a time, written as bytes that were made before: the generator shares its core with the engine. */
export interface LoadConnection {
  /** Sends a request. `done` gets the status of the answer, or 0 if the connection ended without one. */
  send(request: Buffer, done: (status: number) => void): void
  end(): void
}

/** The length of the body that the head of an answer tells. */
function lengthIn(head: string): number {
  const [, length = '0'] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  return Number(length)
}

/** A connection that is opened when it is needed, and again once the server has closed it. */
export function loadConnection(port: number): LoadConnection {
  let socket: Socket | undefined
  let answered: ((status: number) => void) | undefined
  let received = ''
  let whole = Number.POSITIVE_INFINITY
  let status = 0

  const finish = (with_: number) => {
    const done = answered
    answered = undefined
    received = ''
    whole = Number.POSITIVE_INFINITY
    done?.(with_)
  }
  const take = (text: string) => {
    received += text
    if (whole === Number.POSITIVE_INFINITY) {
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      status = Number(received.slice(9, 12))
      whole = end + 4 + lengthIn(received.slice(0, end))
    }
    if (received.length < whole) return
    const isLast = /\r\nconnection: close/i.test(received)
    if (isLast) {
      socket?.destroy()
      socket = undefined
    }
    finish(status)
  }
  const open = (): Socket => {
    const opened = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    opened.on('data', take)
    opened.on('error', () => undefined)
    opened.on('close', () => {
      if (socket !== opened) return
      socket = undefined
      finish(0)
    })
    return opened
  }
  return {
    send: (request, done) => {
      answered = done
      socket ??= open()
      socket.write(request)
    },
    end: () => socket?.destroy(),
  }
}

/** The bytes of a request that asks a question with a key. */
export function questionBytes(path: string, question: object, key: string | undefined): Buffer {
  const body = JSON.stringify(question)
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}Content-Type: application/json\r\n`
  return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
