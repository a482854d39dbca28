import type { Attributes, Issue } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { Asked } from './route.ts'

/** A body, read by the attributes that describe it. Null is absent. Throws `InvalidInput`, which names each wrong field. */
export function readBody(what: string, attributes: Attributes, body: Asked['body']): Readonly<Record<string, unknown>> {
  const issues: Issue[] = Object.keys(body)
    .filter((name) => !Object.hasOwn(attributes, name))
    .map((name) => ({ path: [name], message: `is none of ${Object.keys(attributes).join(', ')}` }))
  const values: Record<string, unknown> = {}
  for (const [name, { schema, presence }] of Object.entries(attributes)) {
    const given = body[name] ?? undefined
    if (given === undefined && presence !== 'given') continue
    if (given === undefined) {
      issues.push({ path: [name], message: 'is missing' })
      continue
    }
    const read = schema.safeParse(given)
    if (read.success) values[name] = read.data
    else issues.push({ path: [name], message: read.error.issues[0]?.message ?? 'does not fit' })
  }
  if (issues.length > 0) throw invalidInput(what, issues)
  return values
}
