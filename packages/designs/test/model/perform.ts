import { type ConnectedTable, type ErrorCode, isFreeholdError, type Repository } from '@freehold/table'
import type { Item } from './parts.ts'
import type { Step } from './step.ts'

/** The result of a step: an error's code, or the value given back; null for nothing. */
export interface Outcome {
  readonly code?: ErrorCode
  readonly message?: string
  readonly gives?: unknown
}

/** All pages of a list. Throws where one is too long, or short and not the last. */
async function list(table: ConnectedTable, { subject, input, reading }: Step): Promise<Item[]> {
  const ask = table.patternNamed(subject)
  if (!('all' in ask)) throw new Error(`${subject} is no query.`)
  const items: Item[] = []
  if (reading === undefined) {
    for await (const item of ask.all(input)) items.push(item)
    return items
  }
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await ask(input, { ...reading, cursor })
    if (page.malformed !== undefined) throw new Error(`malformed: ${JSON.stringify(page.malformed)}`)
    const { length } = page.items
    if (length > (reading.limit ?? 100)) throw new Error(`a page of ${length} items`)
    if (page.cursor !== undefined && length < (reading.limit ?? 100)) throw new Error(`a page of ${length} items that is not the last`)
    if (length === 0 && !isFirst) throw new Error('a page of no items')
    items.push(...page.items)
    cursor = page.cursor
  }
  return items
}

/** The repository of an entity. A connected table has it by its name, which the type of any design does not say. */
function repositoryOf(table: ConnectedTable, name: string): Repository {
  const repository = (table as unknown as Readonly<Record<string, Repository>>)[name]
  if (repository === undefined) throw new Error(`The table has no ${name}.`)
  return repository
}

async function answer(table: ConnectedTable, step: Step): Promise<unknown> {
  const { verb, subject, version, inUse } = step
  if (verb === 'wait') return undefined
  if (verb === 'query') return list(table, step)
  if (verb === 'get' && table.design.entities[subject] === undefined) return (await table.patternNamed(subject)(step.input)) ?? null
  const repository = repositoryOf(table, subject)
  // The repository says whether it fits.
  const [input, change] = [step.input as never, step.change as never]
  const how = version === undefined ? {} : { version }
  switch (verb) {
    case 'create':
      return repository.create(input)
    case 'ensure':
      return (await repository.ensure(input)).item
    case 'update':
      return repository.update(input, change, how)
    case 'move':
      return repository.move(input, change, how)
    case 'remove':
      // Nothing is left to durable jobs where no request fails.
      return expectNothing(await repository.remove(input, inUse === undefined ? how : { ...how, inUse }))
    case 'get':
      return (await repository.get(input, { consistent: true })) ?? null
  }
}

export async function perform(table: ConnectedTable, step: Step): Promise<Outcome> {
  try {
    return { gives: await answer(table, step) }
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    return { code: error.code, message: error.message }
  }
}

function expectNothing(left: object): undefined {
  if (Object.keys(left).length > 0) throw new Error(`a removal left ${JSON.stringify(left)}`)
  return undefined
}
