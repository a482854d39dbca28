import { checking, count, creating, flag, type Item, type Steps, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { changeItem, removeItem } from '../../../flow/change-item.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { requireLive } from '../../../flow/live-item.ts'
import { newItem, returnedItem } from '../../../flow/new-item.ts'
import { changedView } from '../../../flow/recorded-changes.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { itemOf, nothing } from '../../../flow/returns.ts'
import { Project, User } from '../../design.ts'
import { type AccountContext, flow } from '../account-host.ts'
import { at } from '../needs.ts'
import { clientNamed, clientScope, projectScope } from '../scope.ts'

const named = { id: uuid(), version: count().optional() }
const described = ['name', 'description', 'status', 'start_date', 'end_date', 'region', 'owner_user_id'] as const

/** An owner is a user of the project's client, or an internal one: another is as if it were not there, which the reference alone would not say. */
async function ownerSteps({ table }: AccountContext, client_id: string, id: string | null | undefined): Promise<Steps> {
  if (id === undefined || id === null) return {}
  const owner = await table.User.get({ id }, { consistent: true })
  const isOurs = owner?.client_id === undefined || owner.client_id === client_id
  const { client_id: of } = requireLive('User', id, isOurs ? owner : undefined)
  return { owner: checking(User, { id }, { where: { client_id: of ?? null } }) }
}

interface Days {
  readonly start_date?: string | null | undefined
  readonly end_date?: string | null | undefined
}

/** A project may begin and end on one day. */
function checkDays({ flow }: AccountContext, { start_date, end_date }: Days): void {
  if (!start_date || !end_date || end_date >= start_date) return
  throw invalidInput(flow, [{ path: ['end_date'], message: `is before the start, ${start_date}` }], { flow })
}

export const createProject = flow({
  name: 'createProject',
  summary: 'Creates a project of a client.',
  input: { client_id: uuid().optional(), ...given(Project, 'id', ...described) },
  needs: at('client', 'create', 'project'),
  effect: 'write',
  returns: itemOf(Project),
  scope: async (context, { client_id }) => clientScope(context, clientNamed(context, client_id)),
  run: async (context, input, { client_id }) => {
    checkDays(context, input)
    const after = newItem(context.table.runtime, Project, { ...input, client_id })
    const steps = {
      ...(await ownerSteps(context, client_id, after.owner_user_id)),
      project: creating(Project, after),
    }
    const { project } = await writeRecorded(context, steps, { entity: Project, id: String(after.id), tenant: client_id, after })
    return returnedItem(Project, project)
  },
})

export const updateProject = flow({
  name: 'updateProject',
  summary: 'Changes a project: its name, status, dates, owner and the like.',
  input: { ...named, ...changing(Project, ...described) },
  needs: at('project', 'update', 'project'),
  effect: 'write',
  returns: itemOf(Project),
  scope: async (context, { id }) => projectScope(context, id),
  run: async (context, { id, version, ...change }, { client_id }) => {
    const steps = await ownerSteps(context, client_id, change.owner_user_id)
    const areDaysKept = change.start_date === undefined && change.end_date === undefined
    const check = (before: Item<typeof Project>) => (areDaysKept ? undefined : checkDays(context, changedView(before, change)))
    return changeItem(context, Project, { client_id, id }, change, { version, steps, check })
  },
})

export const deleteProject = flow({
  name: 'deleteProject',
  summary: 'Deletes a project with its buildings and all that is in them, by a durable job.',
  input: { ...named, wait: flag().optional() },
  needs: at('client', 'delete', 'project'),
  effect: 'write',
  returns: nothing,
  scope: async (context, { id }) => projectScope(context, id),
  run: async (context, { id, version, wait }, { client_id }) => removeItem(context, Project, { client_id, id }, { version, wait }),
})
