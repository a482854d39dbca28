import type { Attribute } from '@freehold/table'
import type { Flow, Needs } from './flow.ts'

/** One input of a flow, for whoever has only its name. */
export interface InputDescription {
  readonly name: string
  /** The kind of the attribute: `text`, `uuid`, `flag`, … */
  readonly kind: string
  readonly required: boolean
  /** All values, where they are few. */
  readonly values?: readonly string[]
}

export interface FlowDescription {
  readonly name: string
  readonly summary: string
  readonly needs: Needs
  readonly input: readonly InputDescription[]
}

function describeInput(name: string, { kind, presence }: Attribute): InputDescription {
  const values = kind.domain?.values
  return { name, kind: kind.name, required: presence === 'given', ...(values === undefined ? {} : { values }) }
}

/** A flow as the command and HTTP show it. */
export function describeFlow({ name, summary, needs, input }: Flow<never>): FlowDescription {
  return { name, summary, needs, input: Object.entries(input).map(([each, attribute]) => describeInput(each, attribute)) }
}
