import { type Parsed, Parser } from './parser.ts'
import type { ConditionNode, PathNode, UpdateAction } from './tree.ts'

export function parseCondition(label: string, text: string): Parsed<ConditionNode> {
  return kept(label, text, () => Parser.condition(label, text))
}

export function parseUpdate(text: string): Parsed<readonly UpdateAction[]> {
  return kept('UpdateExpression', text, () => Parser.update(text))
}

export function parseProjection(text: string): Parsed<readonly PathNode[]> {
  return kept('ProjectionExpression', text, () => Parser.projection(text))
}

/** Expressions that were parsed, by their parameters. Programs have few of them, and send each many times. */
const parses = new Map<string, Map<string, unknown>>()
const parses_max = 2_000

function kept<T>(parameter: string, text: string, parse: () => T): T {
  const known = parses.get(parameter)?.get(text)
  if (known !== undefined) return known as T // The expressions of one parameter are of one type.
  const parsed = parse()
  const all = parses.get(parameter) ?? new Map<string, unknown>()
  if (all.size >= parses_max) all.clear()
  parses.set(parameter, all.set(text, parsed))
  return parsed
}
