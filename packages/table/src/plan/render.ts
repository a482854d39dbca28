import type { Action, AtomicPart, Update } from './action.ts'
import { type Condition, renderConditions } from './condition.ts'
import { Expression } from './expression.ts'
import type { Values } from './input.ts'
import type { TableKey } from './keys.ts'
import { writeIdName } from './stored.ts'
import { termText } from './term.ts'

/** An action in DynamoDB's form, with plain values. They are marshalled when they are sent. */
export interface RenderedAction {
  readonly kind: Action['kind']
  readonly key: TableKey
  readonly item?: Readonly<Values> | undefined
  readonly update?: string | undefined
  readonly condition?: string | undefined
  readonly names: Readonly<Record<string, string>>
  readonly values: Readonly<Values>
}

type Clauses = Record<'SET' | 'REMOVE' | 'ADD' | 'DELETE', string[]>

function renderPart(part: AtomicPart, expression: Expression, clauses: Clauses): void {
  switch (part.operation) {
    case 'sum': {
      const name = part.path.map((step) => expression.name(step ?? '')).join('.')
      const stored = part.isRequired ? name : `if_not_exists(${name}, ${expression.value(0)})`
      clauses.SET.push(`${name} = ${stored} ${part.amount < 0 ? '-' : '+'} ${expression.value(Math.abs(part.amount))}`)
      return
    }
    case 'join':
      clauses.ADD.push(`${expression.name(part.attribute)} ${expression.value(part.members)}`)
      return
    case 'leave':
      clauses.DELETE.push(`${expression.name(part.attribute)} ${expression.value(part.members)}`)
      return
    case 'append': {
      const name = expression.name(part.attribute)
      clauses.SET.push(`${name} = list_append(if_not_exists(${name}, ${expression.value([])}), ${expression.value(part.elements)})`)
      return
    }
    case 'ifAbsent': {
      const name = expression.name(part.attribute)
      clauses.SET.push(`${name} = if_not_exists(${name}, ${expression.value(part.value)})`)
    }
  }
}

function renderUpdate({ set, remove, add = {}, atomic }: Update, expression: Expression, writeId: string): string {
  const clauses: Clauses = {
    SET: Object.entries({ ...set, [writeIdName]: writeId }).map(([name, value]) => `${expression.name(name)} = ${expression.value(value)}`),
    REMOVE: remove.map((name) => expression.name(name)),
    ADD: Object.entries(add).map(([name, value]) => `${expression.name(name)} ${expression.value(value)}`),
    DELETE: [],
  }
  for (const part of atomic?.parts ?? []) renderPart(part, expression, clauses)
  return Object.entries(clauses)
    .filter(([, parts]) => parts.length > 0)
    .map(([verb, parts]) => `${verb} ${parts.join(', ')}`)
    .join(' ')
}

/** The conditions of an action and of the checks that were folded into it, each once. */
function conditionsOf({ conditions, checks = [] }: Action): readonly Condition[] {
  const all = checks.length === 0 ? conditions : [...conditions, ...checks.flatMap((check) => check.conditions)]
  // Two of different kinds are never the same.
  if (new Set(all.map(({ is }) => is)).size === all.length) return all
  return [...new Map(all.map((condition) => [termText(condition), condition])).values()]
}

/** Renders an action. Each item that it puts or updates is stamped with `writeId`, which names the write. */
export function renderAction(action: Action, writeId: string): RenderedAction {
  const expression = new Expression()
  const update = action.kind === 'update' ? renderUpdate(action, expression, writeId) : undefined
  const isCounted = action.kind === 'update' && action.atomic !== undefined
  const unwritten: readonly Condition[] = isCounted ? [{ is: 'unwritten', writeId }] : []
  const condition = renderConditions([...conditionsOf(action), ...unwritten], expression)
  const { names, values } = expression
  const item = action.kind === 'put' ? { ...action.item, [writeIdName]: writeId } : undefined
  return { kind: action.kind, key: action.key, item, update, condition, names, values }
}
