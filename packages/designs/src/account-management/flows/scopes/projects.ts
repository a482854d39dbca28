import { checking, count, creating, flag, type Item, type Steps, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { changing, given } from '../../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../../flow/made-item.ts'
import { changedView } from '../../../flow/recorded-changes.ts'
import { Project, User } from '../../design.ts'
import type { AccountContext } from '../account-context.ts'
import { accountFlow } from '../account-flow.ts'
import { writeAudited } from '../audited.ts'
import { changeAudited, removeAudited } from '../change-audited.ts'
import { clientNamed, clientPlace, projectPlace, standing } from '../place.ts'

const named = { id: uuid(), version: count().optional() }
const described = ['name', 'description', 'status', 'start_date', 'end_date', 'region', 'owner_user_id'] as const

/** An owner is a user of the project's client, or an internal one: another is as if it were not there, which the reference alone would not say. */
async function ownerSteps({ table }: AccountContext, client_id: string, id: string | null | undefined): Promise<Steps> {
  if (id === undefined || id === null) return {}
  const owner = await table.User.get({ id }, { consistent: true })
  const isOurs = owner?.client_id === undefined || owner.client_id === client_id
  const { client_id: of } = standing('User', id, isOurs ? owner : undefined)
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

export const createProject = accountFlow({
  name: 'createProject',
  summary: 'Creates a project of a client.',
  input: { client_id: uuid().optional(), ...given(Project, 'id', ...described) },
  place: async (context, { client_id }) => clientPlace(context, clientNamed(context, client_id)),
  run: async (context, input, { client_id }): Promise<Item<typeof Project>> => {
    checkDays(context, input)
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
    const areDaysKept = change.start_date === undefined && change.end_date === undefined
    const check = (before: Item<typeof Project>) => (areDaysKept ? undefined : checkDays(context, changedView(before, change)))
    return changeAudited(context, Project, { client_id, id }, change, { version, steps, check })
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
