import { type CompiledPattern, FreeholdError } from '@freehold/table'
import { type Control, checkFields, takeControls } from '../http/control.ts'
import { entityTag } from '../http/if-match.ts'
import type { Answer, Asked, Route } from '../http/route.ts'
import { type StoredAs, valueOfText } from '../http/text-value.ts'
import type { Served } from '../served.ts'

/** How the controls of a pattern are written in a query string. */
const storedAs: Readonly<Partial<Record<Control, StoredAs>>> = { limit: 'number', consistent: 'boolean' }

/** The controls of a pattern. DynamoDB has no consistent reads of an index. */
function controlsOf({ operation, index }: CompiledPattern): readonly Control[] {
  if (operation === 'get') return ['consistent']
  return index === undefined ? ['limit', 'cursor', 'order', 'consistent'] : ['limit', 'cursor', 'order']
}

function routesOfPattern(name: string, pattern: CompiledPattern, { table }: Served): Route[] {
  const path = `/v1/${name}/patterns/${pattern.name}`
  const names = pattern.parameters.map((parameter) => parameter.name)
  const controls = controlsOf(pattern)
  checkFields(`The access pattern ${pattern.name}`, names, controls)
  const call = table.patternNamed(pattern.name)

  const answer = async (given: Readonly<Record<string, unknown>>): Promise<Answer> => {
    const { fields, how } = takeControls(given, controls)
    const found = await call(fields, how)
    if (found === undefined) throw new FreeholdError('NotFound', `${pattern.name} finds no item.`, { pattern: pattern.name })
    return { status: 200, body: found, headers: pattern.operation === 'get' ? entityTag(found) : {} }
  }

  const fromQuery = ({ query }: Asked): Record<string, unknown> => {
    const stored = new Map<string, StoredAs>(pattern.parameters.map((parameter) => [parameter.name, parameter.kind.stored]))
    for (const control of controls) stored.set(control, storedAs[control] ?? 'string')
    return Object.fromEntries([...query].map(([each, text]) => [each, valueOfText(text, stored.get(each) ?? 'string')]))
  }

  return [
    { method: 'GET', path, query: [...names, ...controls], takesBody: false, answer: (asked) => answer(fromQuery(asked)) },
    { method: 'POST', path, query: [], takesBody: true, answer: ({ body }) => answer(body) },
  ]
}

/**
 * The routes of a design's access patterns. Parameters and controls are in the query string, or with POST in a JSON object, which keeps
 * personal data out of the logs of other systems.
 */
export function patternRoutes(name: string, served: Served): Route[] {
  return [...served.table.design.form.patterns.values()].flatMap((pattern) => routesOfPattern(name, pattern, served))
}
