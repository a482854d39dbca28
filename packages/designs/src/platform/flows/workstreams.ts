import { checkChosenId, ensureItem, itemOf, liveItem, naming, permit, readErrors, waiting } from '@freehold/frame/flow'
import { text } from '@freehold/table'
import { UserWorkstream, Workstream, WorkstreamTool, WorkstreamUser } from '../design.ts'
import { on } from './flow-menus.ts'
import { type AtAccount, accountOf, atAccount, atUser, flow, itemFlows, listFlow, type PlatformContext, scopeOf } from './platform-host.ts'

/** The default workstream of an account: its id follows from that of the account, so that an account has one. */
export const defaultWorkstreamId = (accountId: string) => `default-${accountId}`

const atWorkstream = (context: PlatformContext, { accountId, workstreamId: id }: AtAccount & { readonly workstreamId: string }) =>
  accountOf(liveItem(context, Workstream, { accountId, id }))

/** Enterprises are operators' alone, and so is the enterprise of a workstream. Throws `Denied`. */
async function checkEnterprise(context: PlatformContext, enterpriseId: string | null | undefined): Promise<void> {
  if (enterpriseId !== undefined) await permit(context, 'operator', 'system')
}

const workstreams = itemFlows(Workstream, { scope: atAccount })
const described = ['name', 'description', 'enterpriseId'] as const

/** The flows of workstreams. */
export const workstreamFlows = {
  createWorkstream: workstreams.create({
    name: 'createWorkstream',
    summary: 'Creates a workstream in an account. Only operators name its enterprise.',
    given: ['accountId', 'id', ...described],
    needs: on('workstreams', 'create'),
    scope: atAccount,
    check: ({ context, input }) => {
      checkChosenId(context, 'workstream', input.id)
      return checkEnterprise(context, input.enterpriseId)
    },
  }),
  ensureDefaultWorkstream: flow({
    name: 'ensureDefaultWorkstream',
    summary: 'Creates the default workstream of an account unless it is there. It has the id `default-` and that of the account.',
    input: { ...naming(Workstream, 'accountId'), name: text().optional() },
    needs: on('workstreams', 'create'),
    effect: 'write',
    returns: itemOf(Workstream),
    writes: { create: Workstream },
    errors: [...readErrors, 'MissingEnd'],
    scope: atAccount,
    run: (context, { accountId, name }) =>
      ensureItem(context, Workstream, { accountId, id: defaultWorkstreamId(accountId), name: name ?? 'Default' }),
  }),
  updateWorkstream: workstreams.update({
    name: 'updateWorkstream',
    summary: 'Changes the name or the description of a workstream. Operators change its enterprise.',
    may: described,
    needs: on('workstreams', 'edit'),
    check: ({ context, input }) => checkEnterprise(context, input.enterpriseId),
  }),
  deleteWorkstream: workstreams.remove({
    name: 'deleteWorkstream',
    summary: 'Deletes a workstream with its tools and memberships.',
    input: waiting,
    needs: on('workstreams', 'delete'),
  }),
}

const tools = itemFlows(WorkstreamTool, {
  scope: async (context, { workstreamId, id }) => scopeOf(await liveItem(context, WorkstreamTool, { workstreamId, id })),
})
const ofTool = ['name', 'url', 'category'] as const

/** The flows of the tools of workstreams. */
export const toolFlows = {
  addTool: tools.create({
    name: 'addTool',
    summary: 'Adds a tool to a workstream.',
    given: ['accountId', 'workstreamId', 'id', ...ofTool],
    needs: on('workstream-tools', 'create'),
    scope: atWorkstream,
    check: ({ context, input }) => checkChosenId(context, 'tool', input.id),
  }),
  updateTool: tools.update({
    name: 'updateTool',
    summary: 'Changes the name, the address or the category of a tool.',
    may: ofTool,
    needs: on('workstream-tools', 'edit'),
  }),
  removeTool: tools.remove({ name: 'removeTool', summary: 'Removes a tool from a workstream.', needs: on('workstream-tools', 'delete') }),
}

const members = itemFlows(UserWorkstream, { scope: (context, { userId }) => atUser(context, userId) })

/** The flows of the members of workstreams. */
export const workstreamMemberFlows = {
  addToWorkstream: members.ensure({
    name: 'addToWorkstream',
    summary: 'Adds a user to a workstream of its account. A member keeps its first `joinedAt`.',
    given: ['accountId', 'workstreamId', 'userId'],
    needs: on('workstream-members', 'create'),
    errors: ['NotFound'],
    scope: atWorkstream,
  }),
  removeFromWorkstream: members.remove({
    name: 'removeFromWorkstream',
    summary: 'Removes a user from a workstream.',
    needs: on('workstream-members', 'delete'),
  }),
  membersOfWorkstream: listFlow(WorkstreamUser, {
    name: 'membersOfWorkstream',
    summary: 'The members of a workstream, a page at a time.',
    input: naming(WorkstreamUser, 'accountId', 'workstreamId'),
    needs: on('workstream-members', 'view'),
    scope: atWorkstream,
    // The key names no account: members of another account's workstream of this id are left out.
    read: ({ unscoped }, { accountId, workstreamId }, how) => unscoped.forTenant(accountId).usersOfWorkstream({ workstreamId }, how),
  }),
  workstreamsOfMember: listFlow(UserWorkstream, {
    name: 'workstreamsOfMember',
    summary: 'The workstreams that a user is a member of, a page at a time.',
    input: naming(UserWorkstream, 'userId'),
    needs: on('workstream-members', 'view'),
    scope: (context, { userId }) => atUser(context, userId),
    read: ({ table }, { userId }, how) => table.workstreamsOfUser({ userId }, how),
  }),
}
