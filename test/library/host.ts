import { type ActingUser, denied, type FlowContext, type FlowHost, flowsFor, recordedChanges } from '@freehold/designs/flow'
import { checking, creating, type Table } from '@freehold/table'
import { decideLibrary } from './decide.ts'
import { Change, library, Member, Post } from './design.ts'

export type LibraryTable = Table<typeof library>

/** The scope of a flow of the library. */
export interface AtBranch {
  readonly branch_id: string
}

export interface LibraryContext extends FlowContext<LibraryTable, ActingUser, AtBranch> {}

export const libraryHost: FlowHost<LibraryTable, ActingUser, AtBranch> = {
  design: library,
  decide: decideLibrary,
  actingUser: async (table, id) => {
    const member = await table.Member.get({ id }, { consistent: true })
    if (member?.status === 'active' && member.deleting === undefined) return member
    throw denied(undefined, 'UnknownMember', 'There is no such member, or it is blocked.')
  },
  questionOf: ({ id }, { action }, { branch_id }) => ({ question: { member: id, branch: branch_id, action }, level: 'branch' }),
  basisOfUser: ({ id }) => ({ kind: 'user', name: `member ${id}`, check: checking(Member, { id }, { where: { status: 'active' } }) }),
  basisOf: ({ entity, id: { member_id = '', branch_id = '' }, as = {} }) => {
    const check = checking(Post, { member_id, branch_id }, { where: as })
    return entity === Post.name ? { kind: 'grant', name: `post ${member_id} ${branch_id}`, check } : undefined
  },
  record: ({ caller: { actor }, flow }, { entity, id, before, after }, step) => {
    const by = actor.kind === 'user' ? `member ${actor.user_id}` : `operator ${actor.name ?? ''}`
    return { [step]: creating(Change, { item: `${entity.name} ${id}`, flow, by, changes: recordedChanges(entity, before, after) }) }
  },
}

export const { flow, itemFlows } = flowsFor<LibraryContext>(libraryHost)
