import type { Action, Update } from './action.ts'
import { type Condition, Expression, renderConditions } from './condition.ts'
import type { Values } from './input.ts'
import type { TableKey } from './keys.ts'
import { writeIdName } from './stored.ts'

/** An action in DynamoDB's form, with plain values. They are marshalled when they are sent. */
export interface RenderedAction {
  readonly kind: Action['kind']
  readonly key: TableKey
  readonly item?: Readonly<Values>
  readonly update?: string
  readonly condition?: string
  readonly names: Readonly<Record<string, string>>
  readonly values: Readonly<Values>
}

function renderUpdate({ set, remove, add = {} }: Update, expression: Expression, writeId: string): string {
  const assignments = Object.entries({ ...set, [writeIdName]: writeId }).map(
    ([name, value]) => `${expression.name(name)} = ${expression.value(value)}`,
  )
  const removals = remove.map((name) => expression.name(name))
  const additions = Object.entries(add).map(([name, value]) => `${expression.name(name)} ${expression.value(value)}`)
  const clauses = { SET: assignments, REMOVE: removals, ADD: additions }
  return Object.entries(clauses)
    .filter(([, parts]) => parts.length > 0)
    .map(([verb, parts]) => `${verb} ${parts.join(', ')}`)
    .join(' ')
}

/** The conditions of an action and of the checks that were folded into it, each once. */
function conditionsOf({ conditions, checks = [] }: Action): readonly Condition[] {
  if (conditions.length < 2 && checks.length === 0) return conditions
  const all = [...conditions, ...checks.flatMap((check) => check.conditions)]
  return [...new Map(all.map((condition) => [JSON.stringify(condition), condition])).values()]
}

/** Renders an action. Each item that it puts or updates is stamped with `writeId`, which names the write. */
export function renderAction(action: Action, writeId: string): RenderedAction {
  const expression = new Expression()
  const update = action.kind === 'update' ? renderUpdate(action, expression, writeId) : undefined
  const condition = renderConditions(conditionsOf(action), expression)
  return {
    kind: action.kind,
    key: action.key,
    ...(action.kind === 'put' ? { item: { ...action.item, [writeIdName]: writeId } } : {}),
    ...(update === undefined ? {} : { update }),
    ...(condition === undefined ? {} : { condition }),
    names: expression.names,
    values: expression.values,
  }
}
