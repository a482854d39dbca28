import type { Job } from '@freehold/table'
import type { Route } from '../http/route.ts'
import type { Describe } from '../openapi/operation.ts'
import { listOf, object, saying, string } from '../openapi/schemas.ts'
import type { Served } from '../served.ts'

/** The oldest durable jobs that are told of a design. */
const jobs_max = 100

const instant = { ...string, format: 'date-time' }
const job = object({
  design: saying(string, 'The design.'),
  id: string,
  kind: saying(string, 'What it does.'),
  entity: saying(string, 'The entity, or the flow, that it is about.'),
  done: saying({ type: 'integer', minimum: 0 }, 'The items that are done.'),
  state: saying({ type: 'string', enum: ['under way', 'left behind'] }, 'Whether a process works on it.'),
  createdAt: instant,
})

const describe: Describe = (components) => ({
  id: 'service.operation',
  tag: 'service',
  summary: 'The version of the service, its tables, and the durable jobs that are not finished.',
  answers: [
    {
      status: 200,
      summary: 'What runs.',
      schema: components.named('Operation', () =>
        saying(
          object({
            version: saying(string, 'The version of the service.'),
            tables: saying(listOf(object({ design: string, table: string })), 'The table of each design.'),
            jobs: saying(listOf(job), `The oldest ${jobs_max} durable jobs of each design.`),
          }),
          'What runs.',
        ),
      ),
    },
  ],
  errors: [],
})

/** A job without its key, which may have the names of people. */
const told = (design: string, { id, kind, entity, done, createdAt, leaseUntil }: Job, now: Date) => ({
  ...{ design, id, kind, entity, done, createdAt },
  state: leaseUntil > now.toISOString() ? 'under way' : 'left behind',
})

/** `GET /v1/operation`: the version, the tables and the durable jobs that are not finished, for whoever operates the service. */
export function operationRoute(tables: ReadonlyMap<string, Served>, version: string): Route {
  return {
    method: 'GET',
    path: '/v1/operation',
    kind: 'operation',
    query: [],
    takesBody: false,
    describe,
    answer: async () => {
      const jobs = await Promise.all(
        [...tables].map(async ([design, { table }]) =>
          (await table.jobs.list({ limit: jobs_max })).map((each) => told(design, each, table.runtime.now())),
        ),
      )
      const named = [...tables].map(([design, { table }]) => ({ design, table: table.runtime.table }))
      return { status: 200, body: { version, tables: named, jobs: jobs.flat() } }
    },
  }
}
