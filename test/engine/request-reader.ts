/** A request of DynamoDB's protocol. */
export interface ReadRequest {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}

const endOfHead = '\r\n\r\n'

/** Reads the requests of one connection, as its bytes come. A request has its length, as all clients of DynamoDB send it. */
export class RequestReader {
  readonly #tell: (request: ReadRequest) => void
  #bytes: Buffer = Buffer.alloc(0)

  constructor(tell: (request: ReadRequest) => void) {
    this.#tell = tell
  }

  read(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    for (;;) {
      const end = this.#bytes.indexOf(endOfHead)
      if (end < 0) return
      const head = this.#bytes.toString('latin1', 0, end)
      const start = end + endOfHead.length
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
      if (this.#bytes.length < start + length) return
      const body = this.#bytes.toString('utf8', start, start + length)
      this.#bytes = this.#bytes.subarray(start + length)
      const [, operation] = /^x-amz-target: *DynamoDB_20120810\.(\w+)/im.exec(head) ?? []
      if (operation !== undefined) this.#tell({ operation, input: JSON.parse(body) })
    }
  }
}
