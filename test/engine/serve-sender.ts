import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Operation } from '../../packages/table/src/dynamo/operation.ts'
import type { Sender } from '../../packages/table/src/dynamo/sender.ts'

export interface ServedSender {
  readonly endpoint: string
  close(): Promise<void>
}

/** DynamoDB's JSON protocol over a sender, for commands, other processes and the AWS SDK. Nobody has to sign: some tests change a request on its way. */
export async function serveSender(sender: Pick<Sender, 'send'>): Promise<ServedSender> {
  const server = createServer((request, response) => {
    answerTo(sender, request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body)),
      // What is lost on its way has no answer.
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  server.unref()
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

async function answerTo(
  sender: Pick<Sender, 'send'>,
  request: IncomingMessage,
): Promise<{ readonly status: number; readonly body: object }> {
  // The sender refuses an operation that DynamoDB does not have, and an input that is not of the operation.
  const operation = String(request.headers['x-amz-target']).replace(/^.*\./, '') as Operation
  const input = (await json(request)) as never
  try {
    return { status: 200, body: await sender.send(operation, input) }
  } catch (error) {
    if (!isAnswer(error)) throw error
    const { name, message, $metadata, ...members } = error
    return { status: $metadata.httpStatusCode, body: { ...members, __type: `com.amazonaws.dynamodb.v20120810#${name}`, message } }
  }
}

interface ErrorAnswer extends Error {
  readonly $metadata: { readonly httpStatusCode: number }
}

const isAnswer = (error: unknown): error is ErrorAnswer => error instanceof Error && '$metadata' in error
