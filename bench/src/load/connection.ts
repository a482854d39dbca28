import { connect, type Socket } from 'node:net'

/** One connection that carries one request at a time, written as bytes that were made before: the generator shares its core with the engine. */
export interface LoadConnection {
  /** Sends a request. `done` gets the status of the answer, or 0 if the connection ended without one. */
  send(request: Buffer, done: (status: number) => void): void
  end(): void
}

/** An answer of the service to a `can` has less than this: most come in one read, and none is copied. */
const read_bytes = 8_192
const headEnd = Buffer.from('\r\n\r\n')
/** The end of the name, since some servers write it in small letters. */
const lengthName = Buffer.from('ength: ')
const closing = Buffer.from('onnection: close')
const zero = 0x30

/** The number that stands at a place. */
function numberAt(bytes: Buffer, from: number): number {
  let number = 0
  for (let at = from; at < bytes.length; at++) {
    const digit = (bytes[at] ?? 0) - zero
    if (digit < 0 || digit > 9) break
    number = number * 10 + digit
  }
  return number
}

/** The length of a whole answer; undefined where its head has not all come. */
function wholeLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return undefined
  const name = bytes.indexOf(lengthName)
  return end + headEnd.length + (name < 0 || name > end ? 0 : numberAt(bytes, name + lengthName.length))
}

/** A connection that is opened when it is needed, and again once the server has closed it. */
export function loadConnection(port: number): LoadConnection {
  let socket: Socket | undefined
  let answered: ((status: number) => void) | undefined
  /** What came of an answer before its rest. */
  let begun: Buffer | undefined

  const finish = (status: number) => {
    const done = answered
    answered = undefined
    begun = undefined
    done?.(status)
  }
  const take = (bytes: Buffer) => {
    const received = begun === undefined ? bytes : Buffer.concat([begun, bytes])
    const whole = wholeLength(received)
    if (whole === undefined || received.length < whole) {
      // The buffer of a read is used again.
      begun = received === bytes ? Buffer.from(bytes) : received
      return
    }
    if (received.includes(closing)) {
      socket?.destroy()
      socket = undefined
    }
    finish(numberAt(received, 9))
  }
  const open = (): Socket => {
    const buffer = Buffer.allocUnsafe(read_bytes)
    const callback = (count: number) => {
      if (socket === opened) take(buffer.subarray(0, count))
      return true
    }
    const opened = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } })
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
