import type { z } from 'zod'
import { type Attribute, filledValue, type Making } from '../design/attribute.ts'
import { isOperated } from '../design/comparison.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { type FreeholdError, type Issue, invalidInput } from '../errors.ts'
import { lookedFor, Mismatch } from '../kind/kind.ts'
import { isPlainObject } from '../kind/value.ts'
import { type AtomicChange, atomicChange } from './atomic-change.ts'
import { attributesOf } from './attributes-of.ts'
import { readWhere } from './read-where.ts'
import { storedValue } from './stored.ts'
import type { Term } from './term.ts'
import type { Values } from './values.ts'

export type { Values } from './values.ts'

function issuesOf(error: z.core.$ZodError, prefix: readonly (string | number)[] = []): Issue[] {
  return error.issues.map(({ path, message }) => ({
    path: [...prefix, ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
    message,
  }))
}

const invalid = (entity: string, issues: readonly Issue[]): FreeholdError => invalidInput(entity, issues, { entity })

function asRecord(entity: string, input: unknown): Values {
  if (!isPlainObject(input)) throw invalid(entity, [{ path: [], message: 'is not an object of attributes' }])
  return input as Values
}

/** The attributes of a new item, normalised and with defaults. Throws `InvalidInput`, which names every wrong attribute. */
export function createdValues(entity: Entity, input: unknown, making: Making): Values {
  const result = entity.schema.safeParse(asRecord(entity.name, input))
  if (!result.success) throw invalid(entity.name, issuesOf(result.error))
  const given: Values = result.data
  const values: Values = {}
  for (const [name, { make }] of attributesOf(entity)) {
    const value = given[name] ?? make?.(making)
    if (value !== undefined) values[name] = value
  }
  for (const [name, { fill }] of attributesOf(entity))
    if (fill !== undefined && values[name] === undefined) values[name] = filledValue(fill, values)
  return values
}

type Read = (attribute: Attribute, value: unknown) => z.ZodSafeParseResult<unknown>

const written: Read = ({ schema }, value) => schema.safeParse(value)
const lookedUp: Read = ({ kind }, value) => lookedFor(kind, value)
const formerly: Read = ({ kind }, value) => kind.former?.(value) ?? kind.schema.safeParse(value)

function normaliseOne(entity: Entity, name: string, value: unknown, read: Read): { value: unknown } | { issues: Issue[] } {
  const attribute = entity.attributes[name]
  if (attribute === undefined) return { issues: [{ path: [name], message: `is not an attribute of ${entity.name}` }] }
  const result = read(attribute, value)
  return result.success ? { value: result.data } : { issues: issuesOf(result.error, [name]) }
}

/** A normalised change. An `undefined` attribute stays, `null` removes an optional one. */
export interface ChangedValues {
  readonly set: Readonly<Values>
  readonly remove: readonly string[]
  /** What is said by the stored values. A change with any of these is atomic. */
  readonly atomic: readonly AtomicChange[]
}

/** True for an attribute that names an end of an edge, or the edge within which it lies. */
function isEnd({ form: { part } }: Entity, name: string): boolean {
  if (part.kind !== 'edge') return false
  const { ends, within } = part.edge
  return ends.some(({ by }) => Object.values(by).includes(name)) || (within !== undefined && keyPlaceholders(within).includes(name))
}

function changeProblem(entity: Entity, name: string, value: unknown): string | undefined {
  const attribute = entity.attributes[name]
  if (attribute?.presence === 'copied') return 'is a copy: it follows its source'
  // What another program has left out is given once.
  if (attribute?.madeOnce === true || (entity.form.fixed.includes(name) && attribute?.absent === undefined)) return 'never changes'
  if (isEnd(entity, name)) return 'is an end of the edge: remove it and create another'
  if (attribute !== undefined && value === null && attribute.presence !== 'optional') return 'cannot be removed'
  return undefined
}

/** Validates a change of an item. `mayMove`: the change may alter the table key, as in a move. */
export function changedValues(entity: Entity, change: unknown, mayMove: boolean): ChangedValues {
  const set: Values = {}
  const remove: string[] = []
  const atomic: AtomicChange[] = []
  const issues: Issue[] = []
  const placeholders = keyPlaceholders(entity)
  for (const [name, value] of Object.entries(asRecord(entity.name, change))) {
    if (value === undefined) continue
    const problem = changeProblem(entity, name, value)
    // Null removes an attribute of the entity, and nothing else that its item has.
    const isRemoved = value === null && entity.attributes[name] !== undefined
    const result = problem === undefined && !isRemoved ? changedOne(entity, name, value, mayMove) : undefined
    if (problem !== undefined) issues.push({ path: [name], message: problem })
    else if (!mayMove && placeholders.includes(name)) issues.push({ path: [name], message: 'is part of the key: use move' })
    else if (isRemoved) remove.push(name)
    else if (result !== undefined && 'atomic' in result) atomic.push(result.atomic)
    else if (result !== undefined && 'value' in result) {
      const stored = storedValue(entity.attributes[name], result.value)
      if (stored === undefined) remove.push(name)
      else set[name] = stored
    } else for (const issue of result?.issues ?? []) issues.push(issue)
  }
  if (issues.length > 0) throw invalid(entity.name, issues)
  return { set, remove, atomic }
}

function changedOne(
  entity: Entity,
  name: string,
  value: unknown,
  mayMove: boolean,
): { readonly atomic: AtomicChange } | ReturnType<typeof normaliseOne> {
  const attribute = entity.attributes[name]
  if (!isOperated(value) || attribute === undefined) return normaliseOne(entity, name, value, written)
  try {
    if (mayMove) throw new Mismatch('moves with its item, and is given as a value')
    return { atomic: atomicChange(name, attribute, value) }
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    return { issues: [{ path: [name], message: error.message }] }
  }
}

/** Reads the condition of a write. A program asks for its own secrets, too. */
export function expectedValues(entity: Entity, where: unknown): Term | undefined {
  return readWhere(entity.name, where, { attributes: entity.attributes, isHidden: () => false })
}

/** The attributes of an item's key, normalised as at its writing, so that any spelling finds it (spec rule 5). */
export function idValues(entity: Entity, id: unknown): Values {
  return readId(entity, id, lookedUp)
}

/** The attributes of the key that an item has if it was written before look-alikes were refused. */
export function formerIdValues(entity: Entity, id: unknown): Values {
  return readId(entity, id, formerly)
}

function readId(entity: Entity, id: unknown, read: Read): Values {
  const given = asRecord(entity.name, id)
  const values: Values = {}
  const issues: Issue[] = []
  const placeholders = keyPlaceholders(entity)
  for (const name of Object.keys(given)) {
    if (!placeholders.includes(name))
      issues.push({
        path: [name],
        message: `does not belong to the key of ${entity.name}, which has ${placeholders.join(', ') || 'no attributes'}`,
      })
  }
  for (const name of placeholders) {
    const value = given[name]
    if (value === undefined || value === null) {
      if (entity.attributes[name]?.presence !== 'optional') issues.push({ path: [name], message: 'is missing' })
      continue
    }
    const result = normaliseOne(entity, name, value, read)
    if ('value' in result) values[name] = result.value
    else for (const issue of result.issues) issues.push(issue)
  }
  if (issues.length > 0) throw invalid(entity.name, issues)
  return values
}
