import { type Input, isMap } from './asked.ts'

export const expressionMembers = [
  'KeyConditionExpression',
  'ConditionExpression',
  'FilterExpression',
  'ProjectionExpression',
  'UpdateExpression',
] as const

export type ExpressionMember = (typeof expressionMembers)[number]

/** A name or value that is defined beside the expression, a word, a number, or a sign. */
const token = /\s*([#:][A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_-]*|\d+|<>|<=|>=|[=<>(),.+[\]-])/y

/** The tokens of an expression. Undefined where it has a sign that none has. */
export function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = []
  token.lastIndex = 0
  const end = text.trimEnd().length
  while (token.lastIndex < end) {
    const found = token.exec(text)?.[1]
    if (found === undefined) return undefined
    tokens.push(found)
  }
  return tokens
}

/** An expression of a part, in tokens; names are those of attributes. */
export interface Expressed {
  readonly member: ExpressionMember
  readonly text: string
  readonly tokens: readonly string[] | undefined
}

const textsMax = 10_000
/** Requests repeat few expressions: one is read once. */
const byText = new Map<string, Expressed>()

function expressedAs(member: ExpressionMember, text: string): Expressed {
  const name = `${member} ${text}`
  const found = byText.get(name)
  if (found !== undefined) return found
  if (byText.size >= textsMax) byText.clear()
  const made = { member, text, tokens: tokensOf(text) }
  byText.set(name, made)
  return made
}

/** Several rules ask for the expressions of one part. */
const known = new WeakMap<Input, readonly Expressed[]>()

export function expressed(part: Input): readonly Expressed[] {
  const found = known.get(part)
  if (found !== undefined) return found
  const all: Expressed[] = []
  for (const member of expressionMembers) {
    const text = part[member]
    if (typeof text === 'string') all.push(expressedAs(member, text))
  }
  known.set(part, all)
  return all
}

/** What only an expression says, whatever its names and values are: it is found once. */
export function ofExpression<T>(find: (expression: Expressed) => T): (expression: Expressed) => T {
  const all = new WeakMap<Expressed, { readonly found: T }>()
  return (expression) => {
    const before = all.get(expression)
    if (before !== undefined) return before.found
    const found = find(expression)
    all.set(expression, { found })
    return found
  }
}

/** The attribute that a token names. */
export function attributeOf(name: string | undefined, part: Input): string | undefined {
  if (name === undefined) return undefined
  const given = isMap(part.ExpressionAttributeNames) ? part.ExpressionAttributeNames[name] : undefined
  return typeof given === 'string' ? given : name
}

/** The value that a token names. */
export function valueNamed(name: string | undefined, part: Input): unknown {
  return isMap(part.ExpressionAttributeValues) && name !== undefined ? part.ExpressionAttributeValues[name] : undefined
}

/** Splits at each comma that stands outside of parentheses. */
function separated(tokens: readonly string[]): readonly (readonly string[])[] {
  const all: string[][] = [[]]
  let depth = 0
  for (const each of tokens) {
    depth += each === '(' ? 1 : each === ')' ? -1 : 0
    if (each === ',' && depth === 0) all.push([])
    else all.at(-1)?.push(each)
  }
  return all
}

export interface UpdateAction {
  readonly verb: string
  readonly tokens: readonly string[]
}

const verbs: ReadonlySet<string> = new Set(['SET', 'REMOVE', 'ADD', 'DELETE'])

interface Update {
  readonly clauses: readonly string[]
  readonly actions: readonly UpdateAction[]
}

/** The actions of an update by their clauses, and each clause as often as it stands there. */
export const updateActions = ofExpression(({ tokens = [] }): Update => {
  const clauses: { verb: string; tokens: string[] }[] = []
  for (const each of tokens) {
    if (verbs.has(each.toUpperCase())) clauses.push({ verb: each.toUpperCase(), tokens: [] })
    else clauses.at(-1)?.tokens.push(each)
  }
  const actions = clauses.flatMap(({ verb, tokens }) => separated(tokens).map((each) => ({ verb, tokens: each })))
  return { clauses: clauses.map(({ verb }) => verb), actions }
})

/** The path that an action or projection begins with, as the names and indexes along it. */
export function pathOf(tokens: readonly string[], part: Input): readonly string[] {
  const path: string[] = []
  for (const [index, each] of tokens.entries()) {
    const isStep = index === 0 || tokens[index - 1] === '.'
    if (isStep) path.push(attributeOf(each, part) ?? each)
    else if (/^\d+$/.test(each) && tokens[index - 1] === '[') path.push(`[${each}]`)
    else if (!['.', '[', ']'].includes(each)) break
  }
  return path
}

/** The paths of a projection, or of an update. */
export function pathsOf(expression: Expressed, part: Input): readonly (readonly string[])[] {
  const { member, tokens = [] } = expression
  if (member === 'ProjectionExpression') return separated(tokens).map((each) => pathOf(each, part))
  return member === 'UpdateExpression' ? updateActions(expression).actions.map((action) => pathOf(action.tokens, part)) : []
}

/** True for two paths of which one is, or leads to, the other. */
export function overlap(one: readonly string[], other: readonly string[]): boolean {
  return one.every((step, index) => index >= other.length || other[index] === step)
}
