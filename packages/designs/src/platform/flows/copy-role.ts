import {
  changing,
  checkChosenId,
  createContent,
  createErrors,
  ensureItem,
  type InputOf,
  itemOf,
  liveItem,
  naming,
  permittedAgain,
  replaceEdges,
  requireDone,
  retryOnConflict,
} from '@freehold/frame/flow'
import { checking, opaqueId, text } from '@freehold/table'
import { invalidInput, parallel } from '@freehold/table/runtime'
import { Role } from '../design.ts'
import { on } from './flow-menus.ts'
import { checkHeldRoles, readHeld } from './grant-ceiling.ts'
import { type AtAccount, atAccount, flow, job, type PlatformContext, scopeOf } from './platform-host.ts'
import { checkMenus, menusAsRead, menusOfRole, notAllChanged, readHeldAndMenus, roleMenus } from './role-menus.ts'

const copying = {
  ...naming(Role, 'id'),
  ...changing(Role, 'accountId', 'name', 'description'),
  newId: opaqueId().optional(),
}

/** The scope of the copy: the account of the role, or that into which a role of no account is copied. Throws `NotFound`, `InvalidInput`. */
async function scopeOfCopy(context: PlatformContext, { id, accountId }: InputOf<typeof copying>): Promise<AtAccount | 'system'> {
  const source = await liveItem(context, Role, { id })
  const meant = accountId ?? source.accountId ?? context.user?.accountId
  if (meant === undefined) return 'system'
  if (source.accountId !== undefined && source.accountId !== meant)
    throw invalidInput(context.flow, [{ path: ['accountId'], message: 'is not the account of the role' }], { flow: context.flow })
  return atAccount(context, { accountId: meant })
}

/** Input of the durable job: the role, and its copy as it will be. */
const copy = {
  from: opaqueId(),
  id: opaqueId(),
  accountId: opaqueId().optional(),
  name: Role.attributes.name,
  description: text().optional(),
}
type Copy = InputOf<typeof copy>

const roleOf = ({ from: _, ...role }: Copy) => ({ ...role, accountId: role.accountId ?? undefined })
const withinOf = ({ accountId }: Copy) => scopeOf({ accountId: accountId ?? undefined })

const needs = on('roles', 'create')

/** The durable job that copies a role with many permissions. */
export const copyingLargeRole = job(
  replaceEdges(roleMenus, {
    name: 'copyRole',
    input: copy,
    subject: ({ id }) => `ROLE#${id}`,
    within: withinOf,
    needs: [needs],
    endOf: ({ id }) => ({ id }),
    next: async (context, input, looks) => {
      if (looks === 0) {
        const { accountId } = await permittedAgain(context, needs, withinOf(input), (acting) => ensureItem(acting, Role, roleOf(input)))
        // Another account has taken the id meanwhile: the flow says that nothing was copied.
        if (accountId !== roleOf(input).accountId) return undefined
      }
      const { add, change } = await roleMenus.outstanding(context, input, { add: await menusOfRole(context, input.from), remove: [] })
      return add.length + change.length === 0 ? undefined : { add: [...add, ...change], remove: [] }
    },
    check: (context, { id }, add) => checkMenus(context, id, add),
    entry: ({ from }) => ({ related: { from } }),
  }),
)
export const copyRole = flow({
  name: 'copyRole',
  summary:
    'Copies a role with its permissions within its account, or one of no account into an account. A caller needs itself all that it allows.',
  input: copying,
  needs,
  effect: 'write',
  returns: itemOf(Role),
  writes: { create: Role },
  errors: [...createErrors, 'VersionConflict'],
  scope: scopeOfCopy,
  reads: ({ id }) => [[Role, { id }]],
  ahead: (context, { id }) =>
    parallel(
      () => readHeld(context, [id]),
      () => readHeldAndMenus(context, id),
    ),
  run: async (context, { id: from, newId, name, description }, at) => {
    checkChosenId(context, 'role', newId)
    const tenant = at === 'system' ? undefined : at.accountId
    const id = newId ?? context.table.runtime.making().uuid()
    return retryOnConflict(context.table.runtime, async () => {
      const source = await liveItem(context, Role, { id: from })
      await checkHeldRoles(context, [from])
      const named = name ?? source.name
      if (named === undefined)
        throw invalidInput(context.flow, [{ path: ['name'], message: 'is missing, and the role has none' }], { flow: context.flow })
      const role = {
        id,
        accountId: tenant,
        name: named,
        description: description === undefined ? source.description : (description ?? undefined),
      }
      const add = await menusAsRead(context, source)
      const steps = { source: checking(Role, { id: from }, { version: source.version }) }
      return createContent(roleMenus, context, role, add, { tenant, steps, entry: { related: { from } } }, async () => {
        const why = await copyingLargeRole.start(context, { from, ...role })
        return requireDone(roleMenus, context, { id }, { add, remove: [] }, notAllChanged, why)
      })
    })
  },
})
