import { type ActingUser, type FlowContext, type FlowHost, flowsFor, recordedChanges } from '@freehold/frame/flow'
import { creating, type Table } from '@freehold/table'
import { access } from './access.ts'
import { Change, type library } from './design.ts'

export type LibraryTable = Table<typeof library>

/** The scope of a flow of the library. */
export interface AtBranch {
  readonly branch_id: string
}

export interface LibraryContext extends FlowContext<LibraryTable, ActingUser, AtBranch> {}

export const libraryHost: FlowHost<LibraryTable, ActingUser, AtBranch> = {
  ...access.host(({ branch_id }: AtBranch) => branch_id),
  record: ({ caller: { actor }, flow }, { entity, id, before, after }, step) => {
    const by = actor.kind === 'user' ? `member ${actor.user_id}` : `operator ${actor.name ?? ''}`
    return { [step]: creating(Change, { item: `${entity.name} ${id}`, flow, by, changes: recordedChanges(entity, before, after) }) }
  },
}

export const { flow, itemFlows } = flowsFor<LibraryContext>(libraryHost)
