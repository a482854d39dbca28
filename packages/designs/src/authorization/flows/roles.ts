import {
  askedVersion,
  changeErrors,
  changeItem,
  checkNamedVersion,
  idOfItem,
  itemOf,
  liveItem,
  naming,
  nothing,
  removeItem,
  waiting,
} from '@freehold/frame/flow'
import { ulid } from '@freehold/table'
import { type Stored, scanItems } from '@freehold/table/runtime'
import { Role, TenantGrant, User } from '../design.ts'
import { flow, inSystem, itemFlows, job } from './authorization-host.ts'
import { atKeyOf, checkId, roleOf } from './by-id.ts'

const roles = itemFlows(Role, { scope: inSystem })
const named = { ...naming(Role, 'roleId'), version: askedVersion }
const has = ({ roles }: Stored, roleId: string) => Array.isArray(roles) && roles.includes(roleId)

/** Deletes the role, or takes its id from the list of a user or a grant. */
type Stage = { readonly stage: 'delete' } | { readonly stage: 'take'; readonly from: Stored }

/**
 * The durable job that deletes a role. First the role goes: from then on its id grants nothing, and no list gets it any more. Then its id is taken from the
 * lists that have it. No query finds these (ADR 6), so the job reads the whole table, as an operator's tool may (spec rule 14).
 */
const deletingRole = job({
  name: 'deleteRole',
  flow: 'deleteRole',
  input: { roleId: ulid() },
  subject: ({ roleId }) => `ROLE#${roleId}`,
  within: () => 'system' as const,
  each: async function* ({ unscoped }, { roleId }): AsyncGenerator<Stage> {
    yield { stage: 'delete' }
    for await (const page of scanItems(unscoped.runtime, [User, TenantGrant]))
      for (const from of page) if (has(from, roleId)) yield { stage: 'take', from }
  },
  does: async (context, step, { roleId }, { id }) => {
    if (step.stage === 'delete')
      return atKeyOf(
        context,
        () => roleOf(context, roleId),
        (key) => removeItem(context, Role, key, { check: (before) => checkId(Role, roleId, before.roleId) }),
      )
    const { from } = step
    const without = ({ roles }: { readonly roles: readonly string[] }) => ({ roles: roles.filter((each) => each !== roleId) })
    const entry = { related: { roleId }, more: { job: id, removed_with: Role.name } }
    const alongside = () => ({ entry })
    return from.Type === User.name
      ? changeItem(context, User, idOfItem(User, from), without, { alongside })
      : changeItem(context, TenantGrant, idOfItem(TenantGrant, from), without, { alongside })
  },
  passesOver: ['NotFound', 'BeingDeleted', 'MalformedItem'],
})

/** The flows of roles: for operators, since a role is of every tenant. */
export const roleFlows = {
  createRole: roles.create({
    name: 'createRole',
    summary:
      'Creates a global role, or one that users have in tenants. Its name is its own in its scope; its id is made, and never comes back.',
    given: ['name', 'scope'],
    needs: 'operator',
    scope: inSystem,
  }),
  renameRole: flow({
    name: 'renameRole',
    summary: 'Gives a role another name in its scope. Its id stays, so that it stays with all who have it.',
    input: { ...named, ...naming(Role, 'name') },
    needs: 'operator',
    effect: 'write',
    returns: itemOf(Role),
    errors: [...changeErrors, 'AlreadyExists'],
    scope: inSystem,
    run: (context, { roleId, name, version }) =>
      atKeyOf(
        context,
        () => roleOf(context, roleId),
        (key) => changeItem(context, Role, key, { name }, { version, check: (before) => checkId(Role, roleId, before.roleId) }),
      ),
  }),
  deleteRole: flow({
    name: 'deleteRole',
    summary: 'Deletes a role, by a durable job that takes it from all users and grants. From the start it grants nothing.',
    input: { ...named, ...waiting },
    needs: 'operator',
    effect: 'write',
    returns: nothing,
    writes: { remove: Role },
    errors: changeErrors,
    scope: inSystem,
    run: async (context, { roleId, version, wait }) => {
      const role = await atKeyOf(
        context,
        () => roleOf(context, roleId),
        (key) => liveItem(context, Role, key),
      )
      checkNamedVersion(Role, role.version, version)
      await deletingRole.start(context, { roleId }, { wait: wait ?? true })
    },
  }),
}

export const roleJobs = [deletingRole]
