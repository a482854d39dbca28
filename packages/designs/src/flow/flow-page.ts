import { markdownCode as code, markdownTable, markdownProse as prose } from '@freehold/table/publish'
import type { FlowDescription } from './describe-flow.ts'
import { commonErrors } from './flow-errors.ts'

/** The permission that a flow needs, and the scope that it must hold at. */
function needsCells({ needs }: FlowDescription): readonly [string, string] {
  if (needs === 'operator') return ['operators only', '']
  if (needs === 'own') return ['none, for one’s own only', '']
  const { module, action, resource, at, own } = needs
  return [`${code(`${module}:${action}:${resource}`)}${own === true ? '; none for one’s own' : ''}`, at]
}

/** The result in a word or two. */
function resultWords({ returns, entity }: FlowDescription): string {
  if (returns === 'nothing') return ''
  const of = entity === undefined ? 'values' : code(entity)
  return returns === 'page' ? `page of ${of}` : of
}

/** The section of a design's page on its flows: what each does, what a calling user needs for it, and what it gives. */
export function flowSection(flows: readonly FlowDescription[]): readonly string[] {
  if (flows.length === 0) return []
  const rows = flows.map((flow) => [code(flow.name), prose(flow.summary), ...needsCells(flow), resultWords(flow), flow.errors.join(', ')])
  return [
    '## Flows',
    'A user needs the permission at the scope that the flow is about, or above it; `scope` is whichever the input names. Operators need none.',
    `Besides its errors any flow can give ${commonErrors.join(', ')}.`,
    markdownTable(['flow', 'what it does', 'permission', 'at', 'gives', 'errors'], rows),
  ]
}
