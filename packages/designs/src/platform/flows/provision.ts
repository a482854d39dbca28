import { given, type InputOf, itemOf, liveItem, naming, readErrors } from '@freehold/frame/flow'
import { allEnsured, itemEnsured, type ProvisioningStep, provisioningJob, type StepReport } from '@freehold/frame/provisioning'
import { todayOf } from '@freehold/frame/sweep'
import { day, type Entity, email, FreeholdError, list, type New, number, opaqueId, record, text } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import {
  Account,
  AccountAddress,
  Group,
  GroupMember,
  GroupRole,
  License,
  Provisioning,
  Role,
  RolePermission,
  User,
  Workstream,
} from '../design.ts'
import { deliverCredentials } from '../notifications/mails.ts'
import { setContact, soleAddress } from './contacts.ts'
import { checkTerms } from './licenses/licenses.ts'
import { flow, inSystem, job, type PlatformContext } from './platform-host.ts'
import { defaultWorkstreamId } from './workstreams.ts'

const address = record(given(AccountAddress, 'line1', 'line2', 'city', 'postalCode', 'country', 'isPrimary'))
const person = record({ id: opaqueId().optional(), email: email(), firstName: text(), lastName: text() })
const license = record({
  id: opaqueId().optional(),
  enterpriseId: opaqueId(),
  productId: opaqueId().optional(),
  serviceId: opaqueId().optional(),
  seats: number({ integer: true, min: 1 }),
  startDate: day().optional(),
  endDate: day().describe('The last day of the license: not before `startDate`.'),
})

const listMax = 20

const input = {
  accountId: opaqueId(),
  name: text(),
  addresses: list(address, { max: listMax }).optional(),
  technicalUser: person,
  licenses: list(license, { max: listMax }).optional(),
  workstream: text().optional(),
  /** The menus that the technical role may view; those of the flows, unless given. */
  menus: list(text(), { max: 90 }).optional(),
}
type Input = InputOf<typeof input>
type Step = ProvisioningStep<PlatformContext>

/** An account has one technical user: another one that is there stays. */
async function contactEnsured(
  context: PlatformContext,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<StepReport> {
  const [there] = (await context.table.technicalUserOfAccount({ accountId }, { consistent: true, limit: 1 })).items
  if (there === undefined) {
    await setContact(context, { accountId, userId })
    return { outcome: 'done' }
  }
  return there.userId === userId ? { outcome: 'done before' } : { outcome: 'differs', reason: `the technical user is ${there.id}` }
}

/** The steps in their order. Their ids follow from that of the account, so that a repeat finds what it has made. */
function stepsOf(
  { accountId, name, addresses, technicalUser, licenses, workstream, menus }: Input,
  viewed: readonly string[],
): readonly Step[] {
  const { id: userId = `${accountId}.technical`, ...names } = technicalUser
  const [roleId, groupId] = [`${accountId}.technical-role`, `${accountId}.technical-group`]
  const step = <E extends Entity>(title: string, entity: E, values: New<E>): Step => ({
    name: title,
    run: (context) => itemEnsured(context, entity, values),
  })
  return [
    step('account', Account, { id: accountId, name }),
    ...(addresses ?? []).map((each, index): Step => {
      const values = { accountId, id: `${accountId}.address-${index + 1}`, ...each }
      return {
        name: `address ${index + 1}`,
        run: (context) =>
          itemEnsured(context, AccountAddress, values, async () => (each.isPrimary === true ? soleAddress(context, values) : {})),
      }
    }),
    step('user', User, { id: userId, accountId, ...names }),
    { name: 'technical user', run: (context) => contactEnsured(context, { accountId, userId }) },
    ...(licenses ?? []).map(({ id, ...each }, index): Step => {
      const values = { accountId, id: id ?? `${accountId}.license-${index + 1}`, ...each }
      // Its enterprise is of no account.
      return { name: `licence ${index + 1}`, run: (context) => itemEnsured({ ...context, table: context.unscoped }, License, values) }
    }),
    step('workstream', Workstream, { accountId, id: defaultWorkstreamId(accountId), name: workstream ?? 'Default' }),
    {
      name: 'technical role',
      run: (context) =>
        allEnsured([
          () => itemEnsured(context, Role, { id: roleId, accountId, name: 'Technical user' }),
          ...(menus ?? viewed).map((menuKey) => () => itemEnsured(context, RolePermission, { roleId, menuKey, canView: true })),
        ]),
    },
    {
      name: 'technical group',
      run: (context) =>
        allEnsured([
          () => itemEnsured(context, Group, { id: groupId, accountId, name: 'Technical users' }),
          () => itemEnsured(context, GroupRole, { groupId, roleId }),
          () => itemEnsured(context, GroupMember, { groupId, userId }),
        ]),
    },
    {
      name: 'credentials',
      run: async (context, job): Promise<StepReport> => {
        const { outcome, reason } = await deliverCredentials(context, { accountId, userId }, job)
        const as = { sent: 'done', passed: 'done before', skipped: 'skipped', failed: 'failed' } as const
        return { outcome: as[outcome], ...(reason === undefined ? {} : { reason }) }
      },
    },
  ]
}

/**
 * The flows that provision accounts, and their durable job.
 * @param viewed the menus that the technical role may view unless others are named
 */
export function provisioningFlows(viewed: readonly string[]) {
  const provisioning = job(
    provisioningJob({
      name: 'provisionAccount',
      input,
      subject: ({ accountId }) => `ACCOUNT#${accountId}`,
      within: ({ accountId }) => ({ accountId }),
      report: Provisioning,
      reportOf: ({ accountId }) => ({ accountId }),
      root: Account,
      steps: (asked) => stepsOf(asked, viewed),
    }),
  )

  const provisionAccount = flow({
    name: 'provisionAccount',
    summary:
      'Makes an account with all that it needs to begin, by a durable job that may be repeated: addresses, technical user, licences, workstream, role, group and the credentials mail. The report tells of each step.',
    input,
    needs: 'operator',
    effect: 'write',
    returns: itemOf(Provisioning),
    writes: { create: Provisioning },
    errors: ['NotFound', 'AlreadyExists', 'BeingDeleted'],
    scope: inSystem,
    run: async (context, asked) => {
      if ((asked.addresses ?? []).filter(({ isPrimary }) => isPrimary === true).length > 1)
        throw invalidInput(context.flow, [{ path: ['addresses'], message: 'has several primary ones: an account has one' }])
      for (const [index, { seats, startDate, endDate }] of (asked.licenses ?? []).entries())
        checkTerms(context.flow, seats, startDate ?? todayOf(context), endDate, ['licenses', index])
      const there = await context.table.Account.get({ id: asked.accountId }, { consistent: true })
      if (there !== undefined && there.name !== asked.name)
        throw new FreeholdError('AlreadyExists', `There is an account ${asked.accountId} with another name.`, { entity: Account.name })
      await provisioning.start(context, asked)
      return liveItem(context, Provisioning, { accountId: asked.accountId })
    },
  })

  const provisioningReport = flow({
    name: 'provisioningReport',
    summary: 'The report of the last provisioning of an account: of each step whether it is done, was done before, or failed and why.',
    input: naming(Provisioning, 'accountId'),
    needs: 'operator',
    effect: 'read',
    returns: itemOf(Provisioning),
    errors: readErrors,
    scope: inSystem,
    run: (context, id) => liveItem(context, Provisioning, id),
  })

  return { flows: { provisionAccount, provisioningReport }, jobs: [provisioning] }
}
