import type { DesignModule } from '@freehold/frame'
import type { FlowDescription, OfferedFlows } from '@freehold/frame/flow'
import { type AnyDesign, type CompiledPattern, type Entity, FreeholdError } from '@freehold/table'
import { listed } from '../output/listed.ts'
import { safeText } from '../output/safe-text.ts'
import { type Obeying, offered } from './offered.ts'
import { unknownName } from './unknown-name.ts'

function found<V>(names: ReadonlyMap<string, V>, name: string | undefined, what: string, lists: string): V {
  const value = names.get(name ?? '')
  if (value === undefined) throw unknownName(what, name ?? '', names.keys(), lists)
  return value
}

/** The module with this name. Throws `UnknownName`, with a suggestion. */
export function moduleNamed(shell: Obeying, name: string | undefined): DesignModule {
  if (name !== undefined && /[./\\]/.test(name))
    throw new FreeholdError(
      'UnknownName',
      `There is no design '${safeText(name)}'. The file of a design stands behind --design: --design ./shop.ts.`,
      { name },
    )
  return found(offered(shell), name, 'design', 'freehold designs')
}

/** Throws `UnknownName`. */
export function entityNamed({ name: design, form }: AnyDesign, name: string | undefined): Entity {
  return found(form.entities, name, `entity of ${design} named`, `freehold docs ${design}`)
}

/** Throws `UnknownName`. */
export function patternNamed({ name: design, form }: AnyDesign, name: string | undefined): CompiledPattern {
  return found(form.patterns, name, `access pattern of ${design} named`, `freehold patterns ${design}`)
}

/** A flow of a design, with the function that runs it. */
export interface NamedFlow {
  readonly flow: FlowDescription
  readonly flows: OfferedFlows
}

/** The sentence for a design without flows, which names the designs that have some. */
export function withoutFlows({ designs }: Obeying, { name }: AnyDesign): string {
  const others = [...designs.values()].filter((module) => module.flows !== undefined).map((module) => module.design.name)
  return `${name} has no flows. These designs do: ${listed(others)}.`
}

/** The flow with this name among those of a design. Throws `UnknownName`. */
export function flowOf(shell: Obeying, design: AnyDesign, flows: readonly FlowDescription[], name: string | undefined): FlowDescription {
  if (flows.length === 0) throw new FreeholdError('UnknownName', withoutFlows(shell, design), { design: design.name })
  return found(new Map(flows.map((flow) => [flow.name, flow])), name, `flow of ${design.name} named`, `freehold flows ${design.name}`)
}

/** Throws `UnknownName`. */
export function flowNamed(shell: Obeying, { design, flows }: DesignModule, name: string | undefined): NamedFlow {
  if (flows === undefined) throw new FreeholdError('UnknownName', withoutFlows(shell, design), { design: design.name })
  return { flow: flowOf(shell, design, flows.describe(design), name), flows }
}
