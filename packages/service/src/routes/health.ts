import { type ConnectedTable, FreeholdError, type Runtime } from '@freehold/table'
import { readItem, touchTable } from '@freehold/table/runtime'
import { type Cause, causeOf } from '../http/cause.ts'
import { problem } from '../http/problem.ts'
import type { Answer, Route } from '../http/route.ts'
import type { Describe } from '../openapi/operation.ts'
import { object, saying } from '../openapi/schemas.ts'

/** How long a table may take to answer, with one attempt: a health check needs a quick answer. */
const attempt_ms = 1_000
/** One check answers all requests within this time, since they need no key. */
const reuse_ms = 1_000

/** A key that no design can make: the read finds nothing and costs least. */
const nowhere = { PK: 'FREEHOLD_HEALTH', SK: 'FREEHOLD_HEALTH' }

/** Undefined if the table worked, otherwise the cause, for the log. */
async function causeOfFailure({ table }: Runtime, does: () => Promise<unknown>): Promise<Cause | undefined> {
  try {
    await does()
    return undefined
  } catch (error) {
    return { ...(error instanceof FreeholdError ? causeOf(error) : { name: error instanceof Error ? error.name : typeof error }), table }
  }
}

type Health = 'ok' | 'failed'
const told = { type: 'string', enum: ['ok', 'failed'] satisfies Health[] }
const status = { type: 'string', const: 'ok', description: 'That it answers.' }

const describeReady =
  (id: string): Describe =>
  (components) => ({
    id: `service.${id}`,
    tag: 'service',
    summary: 'Whether all tables can be read and written.',
    answers: [
      {
        status: 200,
        summary: 'They can.',
        schema: components.named('Ready', () =>
          saying(
            object({ status, reading: saying(told, 'Whether all can be read.'), writing: saying(told, 'Whether all can be written.') }),
            'All tables can be read and written.',
          ),
        ),
      },
    ],
    errors: ['Unavailable'],
    isOpen: true,
  })

const describeLive: Describe = (components) => ({
  id: 'service.live',
  tag: 'service',
  summary: 'Whether the process answers. It asks no table.',
  answers: [
    { status: 200, summary: 'It does.', schema: components.named('Live', () => saying(object({ status }), 'The process answers.')) },
  ],
  errors: [],
  isOpen: true,
})

function healthOf(cause: Cause | undefined): Health {
  return cause === undefined ? 'ok' : 'failed'
}

async function firstFailure(runtimes: readonly Runtime[], does: (runtime: Runtime) => Promise<unknown>): Promise<Cause | undefined> {
  const causes = runtimes.map((runtime) => causeOfFailure(runtime, () => does(runtime)))
  return (await Promise.all(causes)).find((cause) => cause !== undefined)
}

/** Reads and writes in parallel: a full disk may allow reads only, and a hanging write must not delay a read. */
async function look(read: readonly Runtime[], written: readonly Runtime[]): Promise<Answer> {
  const reading = firstFailure(read, (runtime) => readItem(runtime, nowhere, {}))
  const [notRead, notWritten] = await Promise.all([reading, firstFailure(written, touchTable)])
  const members = { reading: healthOf(notRead), writing: healthOf(notWritten) }
  const cause = notRead ?? notWritten
  if (cause === undefined) return { status: 200, body: { status: 'ok', ...members } }
  const detail = notRead === undefined ? 'A table accepts no writes.' : 'A table does not answer.'
  return problem('Unavailable', detail, { members, cause })
}

const alive: Promise<Answer> = Promise.resolve({ status: 200, text: '{"status":"ok"}' })

/**
 * Checks whether all tables can be read and written. `keys` is the table of the API keys, without which no other request is answered. It is
 * only read.
 */
export function healthCheck(
  tables: readonly Pick<ConnectedTable, 'runtime'>[],
  keys?: Pick<ConnectedTable, 'runtime'>,
): () => Promise<Answer> {
  const bounded = ({ runtime }: Pick<ConnectedTable, 'runtime'>): Runtime => ({ ...runtime, patience_ms: 0, attempt_ms })
  const written = tables.map(bounded)
  const read = keys === undefined ? written : [...written, bounded(keys)]
  let last: { readonly at_ms: number; readonly answer: Promise<Answer> } | undefined
  return () => {
    const at_ms = performance.now()
    if (last === undefined || at_ms - last.at_ms >= reuse_ms) last = { at_ms, answer: look(read, written) }
    return last.answer
  }
}

/** A route of health. It needs no key, takes no place among running requests, and no parameters. */
export interface HealthRoute extends Pick<Route, 'method' | 'path' | 'takesBody' | 'describe'> {
  answer(): Promise<Answer>
}

/**
 * `/health/live` for those who restart a process that hangs: it answers without any request, so that an outage of DynamoDB restarts nothing.
 * `/health/ready` for those who send requests to it: it answers as `/health` does, which came first.
 */
export function healthRoutes(tables: readonly Pick<ConnectedTable, 'runtime'>[], keys?: Pick<ConnectedTable, 'runtime'>): HealthRoute[] {
  const ready = healthCheck(tables, keys)
  const route = (path: string, describe: Describe, answer: () => Promise<Answer>): HealthRoute => ({
    ...{ method: 'GET', path, takesBody: false, describe, answer },
  })
  return [
    route('/health', describeReady('health'), ready),
    route('/health/ready', describeReady('ready'), ready),
    route('/health/live', describeLive, () => alive),
  ]
}
