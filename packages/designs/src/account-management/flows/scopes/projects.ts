import { changedView, requireLive, waiting } from '@freehold/frame/flow'
import { checking, type Steps } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { Project, User } from '../../design.ts'
import { type AccountContext, itemFlows } from '../account-host.ts'
import { at } from '../needs.ts'
import { askedClient, clientNamed, clientScope, projectScope } from '../scope.ts'

const described = ['name', 'description', 'status', 'start_date', 'end_date', 'region', 'owner_user_id'] as const
const project = itemFlows(Project, { named: ['id'], scope: async (context, { id }) => projectScope(context, id) })

/** An owner is a user of the project's client, or an internal one: another is as if it were not there, which the reference alone would not say. */
async function ownerSteps({ table }: AccountContext, client_id: string, id: string | null | undefined): Promise<Steps> {
  if (id === undefined || id === null) return {}
  const owner = await table.User.get({ id }, { consistent: true })
  const isOurs = owner?.client_id === undefined || owner.client_id === client_id
  const { client_id: of } = requireLive('User', id, isOurs ? owner : undefined)
  return { owner: checking(User, { id }, { where: { client_id: of ?? null } }) }
}

type Days = { readonly [N in 'start_date' | 'end_date']?: string | null | undefined }

/** A project may begin and end on one day. */
function checkDays({ flow }: AccountContext, { start_date, end_date }: Days): void {
  if (!start_date || !end_date || end_date >= start_date) return
  throw invalidInput(flow, [{ path: ['end_date'], message: `is before the start, ${start_date}` }], { flow })
}

const createProject = project.create({
  name: 'createProject',
  summary: 'Creates a project of a client.',
  input: { client_id: askedClient },
  given: ['id', ...described],
  needs: at('client', 'create', 'project'),
  scope: async (context, { client_id }) => clientScope(context, clientNamed(context, client_id)),
  check: ({ context, input }) => checkDays(context, input),
  alongside: async ({ context, input, scope }) => ({ steps: await ownerSteps(context, scope.client_id, input.owner_user_id) }),
})

const updateProject = project.update({
  name: 'updateProject',
  summary: 'Changes a project: its name, status, dates, owner and the like.',
  may: described,
  needs: at('project', 'update', 'project'),
  check: ({ context, input }, before) => {
    const areDaysKept = input.start_date === undefined && input.end_date === undefined
    if (!areDaysKept) checkDays(context, changedView(before, input))
  },
  alongside: async ({ context, input, scope }) => ({ steps: await ownerSteps(context, scope.client_id, input.owner_user_id) }),
})

const deleteProject = project.remove({
  name: 'deleteProject',
  summary: 'Deletes a project with its buildings and all that is in them, by a durable job.',
  input: waiting,
  needs: at('client', 'delete', 'project'),
})

export const projectFlows = { createProject, updateProject, deleteProject } as const
