import type { Attribute } from '@freehold/table'
import {
  markdownCode as code,
  type KindForm,
  kindWords,
  madeWords,
  markdownTable,
  type PartForm,
  markdownProse as prose,
} from '@freehold/table/publish'
import type { Returns } from '../decision/returns.ts'
import { writesOf } from './by-flows.ts'
import type { FlowDeclaration } from './flow.ts'
import { commonErrors, type Verb } from './flow-errors.ts'

/** One input of a flow, for a caller who has only its name. */
export interface InputDescription {
  readonly name: string
  /** The kind of the attribute: `text`, `uuid`, `flag`, … */
  readonly kind: string
  readonly required: boolean
  /** All values, if they are few. */
  readonly values?: readonly string[]
  /** Its content, if the kind alone does not tell it: the parts of a map, say. */
  readonly holds?: string
  /** Its value if it is left out. */
  readonly otherwise?: string
  /** Nobody may see its value: a form hides what is typed. */
  readonly secret?: true
  /** The parts of a record, or of each record of a list: for a form. */
  readonly parts?: readonly InputDescription[]
}

export interface FlowDescription extends Required<Pick<FlowDeclaration, 'name' | 'summary' | 'needs' | 'effect' | 'errors'>> {
  readonly input: readonly InputDescription[]
  readonly returns: Returns['kind']
  /** The entity of the result, or of each on its page. */
  readonly entity?: string
  /** The names of the entities whose items it writes, by how it does. Absent for one that writes none, or that does not say. */
  readonly writes?: { readonly [V in Verb]?: string }
}

/** Words of a page of Markdown, as text. */
const plain = (words: string): string => words.replaceAll('`', '')

/** The parts of a record, or of each record of a list. */
function partsOf({ limits: { of, parts } = {} }: Pick<KindForm, 'limits'>): Pick<InputDescription, 'parts'> {
  // A kind tells these limits of a list and of a record.
  if (of !== undefined) return partsOf(of as KindForm)
  const told = Object.entries((parts ?? {}) as Readonly<Record<string, PartForm>>).map(([name, { kind, limits = {}, optional }]) => ({
    ...{ name, kind, required: optional !== true },
    ...(Array.isArray(limits.values) ? { values: limits.values } : {}),
    ...partsOf({ limits }),
  }))
  return told.length === 0 ? {} : { parts: told }
}

/** An attribute that a caller gives, as the command and HTTP show it. */
export function describeInput(name: string, attribute: Attribute): InputDescription {
  const { kind, presence, isSecret } = attribute
  const values = kind.domain?.values
  const holds = plain(kindWords(kind))
  const otherwise = madeWords(attribute)
  return {
    name,
    kind: kind.name,
    required: presence === 'given',
    ...(values === undefined ? {} : { values }),
    ...(values !== undefined || holds === kind.name ? {} : { holds }),
    ...(otherwise === undefined ? {} : { otherwise: plain(otherwise) }),
    ...(isSecret ? { secret: true } : {}),
    ...partsOf(kind),
  }
}

/** A flow as the command and HTTP show it. */
export function describeFlow(flow: FlowDeclaration): FlowDescription {
  const { name, summary, needs, effect, input, returns, errors = [] } = flow
  const writes = Object.entries(writesOf(flow)).map(([verb, entity]) => [verb, entity.name])
  return {
    name,
    summary,
    needs,
    effect,
    input: Object.entries(input).map(([each, attribute]) => describeInput(each, attribute)),
    returns: returns.kind,
    ...('entity' in returns ? { entity: returns.entity.name } : {}),
    ...(writes.length === 0 ? {} : { writes: Object.fromEntries(writes) }),
    errors,
  }
}

/** The permission that a flow needs, and the scope that it must hold at. */
function needsCells({ needs }: FlowDescription): readonly [string, string] {
  if (needs === 'operator') return ['operators only', '']
  if (needs === 'identity-provider') return ['identity providers', '']
  if (needs === 'person') return ['none, for whose token is shown', '']
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
