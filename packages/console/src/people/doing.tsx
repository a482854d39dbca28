import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../app/service.ts'
import type { ToldDesign, Values } from '../app/told.ts'
import { FlowButtons } from '../flows/flow-buttons.tsx'
import { FlowMenu } from '../flows/flow-menu.tsx'
import { flowsOn, flowsQuery, type OfferedFlow, type ToldFlow } from '../flows/told-flows.ts'
import { grantIn, referencesTo } from './lists.ts'
import { provisions } from './platform/provisions.ts'

/** The flows that the key of this session may run: a button for another one is not there. */
export function useFlows({ form }: ToldDesign): readonly ToldFlow[] {
  const { data: session } = useQuery(sessionQuery)
  const { data = [] } = useQuery(flowsQuery(form.design, session))
  return data
}

/** The inputs that name an item in what a flow makes: by the references of that, and by the type that goes with one. */
function within(design: ToldDesign, made: string, entity: string, item: Values): Readonly<Record<string, string>> {
  const [reference] = referencesTo(design, made, entity)
  const entries = Object.entries(reference?.by ?? {}).flatMap(([theirs, ours]): [string, string][] =>
    item[theirs] === undefined || item[theirs] === null ? [] : [[ours, String(item[theirs])]],
  )
  return reference === undefined ? {} : { ...reference.when, ...Object.fromEntries(entries) }
}
const known = ({ input }: ToldFlow, all: Values): Readonly<Record<string, string>> =>
  Object.fromEntries(
    input.flatMap(({ name }): [string, string][] => {
      const value = name === 'version' ? undefined : all[name]
      return value === undefined || value === null || typeof value === 'object' ? [] : [[name, String(value)]]
    }),
  )

/** Gives something to a person, or at a place: the flows that make what grants. */
export function Giving({ design, entity, item }: { readonly design: ToldDesign; readonly entity: string; readonly item: Values }) {
  const offered = useFlows(design).flatMap((flow): readonly OfferedFlow[] => {
    const made = flow.writes?.create
    if (made === undefined || grantIn(design, made) === undefined) return []
    const given = known(flow, within(design, made, entity, item))
    return Object.keys(given).length === 0 ? [] : [{ flow, given }]
  })
  return <FlowButtons design={design} flows={offered} />
}

/** Changes or takes what a row grants. */
export function Taking({ design, of, row }: { readonly design: ToldDesign; readonly of: string; readonly row: Values }) {
  const offered = useFlows(design).flatMap((flow): readonly OfferedFlow[] => {
    const changed = flow.writes?.remove ?? flow.writes?.update
    const grant = changed === undefined ? undefined : grantIn(design, changed)
    const isSame = grant !== undefined && grant.entity === grantIn(design, of)?.entity
    const ends = [grant?.until, grant?.from]
    return isSame ? [{ flow, given: Object.fromEntries(Object.entries(known(flow, row)).filter(([name]) => !ends.includes(name))) }] : []
  })
  return <FlowButtons design={design} flows={offered} />
}

/** The flow that makes a tenant: the one that makes most. */
export function useFounding(design: ToldDesign, entity: string): ToldFlow | undefined {
  const all = useFlows(design)
  return all.find((flow) => provisions(design, flow, entity)) ?? all.find((flow) => flow.writes?.create === entity)
}

/** Makes an item of this kind, with what is known of where it will lie. */
export function Making({ design, entity, given = {} }: { readonly design: ToldDesign; readonly entity: string; readonly given?: Values }) {
  const offered = useFlows(design)
    .filter((flow) => flow.writes?.create === entity || provisions(design, flow, entity))
    .map((flow) => ({ flow, given: known(flow, given) }))
  return <FlowButtons design={design} flows={offered} />
}

/** The entity (`of`) of what lies within an item. */
export interface WithinProps {
  readonly design: ToldDesign
  readonly of: string
  readonly entity: string
  readonly item: Values
}

/** Makes an item of this kind within another. */
export const MakingWithin = ({ design, of, entity, item }: WithinProps) => (
  <Making design={design} entity={of} given={within(design, of, entity, item)} />
)

/** All that can be done with an item. */
export function Doing({ design, entity, item }: { readonly design: ToldDesign; readonly entity: string; readonly item: Values }) {
  const flows = useFlows(design).filter(({ effect }) => effect === 'write')
  return <FlowMenu design={design} offered={flowsOn(design, flows, entity, item)} />
}
