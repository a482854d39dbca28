import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../../test/free-port.ts'

/** The binary of another engine, if it is installed: it comes for Linux x64 alone. */
export function dynoxideBinary(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json')), 'dynoxide')
  } catch {
    return undefined
  }
}

export interface Dynoxide {
  execute(operation: string, input: object): Promise<object>
  close(): Promise<void>
}

/** Starts the other engine, in memory. It ends when this process does, however that ends. */
export async function startDynoxide(binary: string): Promise<Dynoxide> {
  const port = await freePort()
  const untilInputEnds = '"$@" & read -r _; kill $!; wait'
  const child = spawn('sh', ['-c', untilInputEnds, 'dynoxide', binary, 'serve', '--host', '127.0.0.1', '--port', String(port)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const endpoint = `http://127.0.0.1:${port}`
  for (let attempt = 0; (await fetch(endpoint).catch(() => undefined)) === undefined; attempt += 1) {
    if (attempt === 2_000 || child.exitCode !== null) throw new Error('Dynoxide does not answer.')
    await setTimeout(5)
  }
  return {
    async execute(operation, input) {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        'x-amz-date': '20260101T000000Z',
        authorization: 'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=a',
      }
      const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(input) })
      // DynamoDB's protocol answers with an object.
      const answer = (await response.json()) as Record<string, unknown>
      if (response.ok) return answer
      throw Object.assign(new Error(String(answer.message ?? answer.Message)), {
        name: String(answer.__type).replace(/^.*#/, ''),
        details: answer,
      })
    },
    async close() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}
