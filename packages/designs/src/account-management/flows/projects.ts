import { checking, count, creating, flag, type Item, type Steps, uuid } from '@freehold/table'
import { changing, given } from '../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../flow/made-item.ts'
import { Project, User } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { changeAudited, removeAudited } from './change-audited.ts'
import { clientNamed, clientPlace, projectPlace, standing } from './place.ts'

const named = { id: uuid(), version: count().optional() }
const described = ['name', 'description', 'status', 'start_date', 'end_date', 'region', 'owner_user_id'] as const

/** An owner is a user of the project's client, or an internal one: nothing in the design itself holds to that. */
async function ownerSteps({ table }: AccountContext, client_id: string, id: string | null | undefined): Promise<Steps> {
  if (id === undefined || id === null) return {}
  const owner = await table.User.get({ id }, { consistent: true })
  const isOurs = owner?.client_id === undefined || owner.client_id === client_id
  const { client_id: of } = standing('User', id, isOurs ? owner : undefined)
  return { owner: checking(User, { id }, { where: { client_id: of ?? null } }) }
}

export const createProject = accountFlow({
  name: 'createProject',
  summary: 'Creates a project of a client.',
  input: { client_id: uuid().optional(), ...given(Project, 'id', ...described) },
  place: async (context, { client_id }) => clientPlace(context, clientNamed(context, client_id)),
  run: async (context, input, { client_id }): Promise<Item<typeof Project>> => {
    const after = madeItem(context.table.runtime, Project, { ...input, client_id })
    const steps = {
      ...(await ownerSteps(context, client_id, after.owner_user_id)),
      project: creating(Project, after),
    }
    const { project } = await writeAudited(context, steps, { entity: Project, id: String(after.id), client_id, after })
    return givenBack(Project, project)
  },
})

export const updateProject = accountFlow({
  name: 'updateProject',
  summary: 'Changes a project: its name, status, dates, owner and the like.',
  input: { ...named, ...changing(Project, ...described) },
  place: async (context, { id }) => projectPlace(context, id),
  run: async (context, { id, version, ...change }, { client_id }): Promise<Item<typeof Project>> => {
    const steps = await ownerSteps(context, client_id, change.owner_user_id)
    return changeAudited(context, Project, { client_id, id }, change, { version, steps })
  },
})

export const deleteProject = accountFlow({
  name: 'deleteProject',
  summary: 'Deletes a project with its buildings and all that is in them, by a durable job.',
  input: { ...named, wait: flag().optional() },
  place: async (context, { id }) => projectPlace(context, id),
  run: async (context, { id, version, wait }, { client_id }): Promise<void> =>
    removeAudited(context, Project, { client_id, id }, { version, wait }),
})
