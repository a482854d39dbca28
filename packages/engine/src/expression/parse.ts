import { type Parsed, Parser } from './parser.ts'
import type { ConditionNode, PathNode, UpdateAction } from './tree.ts'

export function parseCondition(label: string, text: string): Parsed<ConditionNode> {
  return kept(`${label} ${text}`, () => Parser.condition(label, text))
}

export function parseUpdate(text: string): Parsed<readonly UpdateAction[]> {
  return kept(`UpdateExpression ${text}`, () => Parser.update(text))
}

export function parseProjection(text: string): Parsed<readonly PathNode[]> {
  return kept(`ProjectionExpression ${text}`, () => Parser.projection(text))
}

/** Expressions that were parsed. Programs have few of them, and send each many times. */
const parses = new Map<string, unknown>()
const parses_max = 2_000

function kept<T>(key: string, parse: () => T): T {
  const known = parses.get(key)
  if (known !== undefined) return known as T // The key begins with the kind of expression, which has one type.
  const parsed = parse()
  if (parses.size >= parses_max) parses.clear()
  parses.set(key, parsed)
  return parsed
}
