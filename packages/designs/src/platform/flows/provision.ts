import {
  day,
  type Entity,
  email,
  FreeholdError,
  flag,
  type Id,
  type Item,
  isFreeholdError,
  list,
  type New,
  number,
  opaqueId,
  record,
  text,
} from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { todayOf } from '../../days.ts'
import { readErrors } from '../../flow/flow-errors.ts'
import { type InputOf, naming } from '../../flow/input-attributes.ts'
import { liveItem } from '../../flow/live-item.ts'
import type { View } from '../../flow/recorded-changes.ts'
import { retryOnConflict } from '../../flow/retry-on-conflict.ts'
import { type Alongside, createItem, idOfItem } from '../../flow/write-item.ts'
import { itemOf } from '../../returns.ts'
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
import { flowMenus } from './flow-menus.ts'
import { checkTerms } from './licenses/licenses.ts'
import { flow, inSystem, job, type PlatformContext } from './platform-host.ts'
import { defaultWorkstreamId } from './workstreams.ts'

const address = record({
  line1: text(),
  line2: text().optional(),
  city: text(),
  postalCode: text().optional(),
  country: text(),
  isPrimary: flag().optional(),
})
const person = record({ id: opaqueId().optional(), email: email(), firstName: text(), lastName: text() })
const license = record({
  id: opaqueId().optional(),
  enterpriseId: opaqueId(),
  productId: opaqueId().optional(),
  serviceId: opaqueId().optional(),
  seats: number({ integer: true, min: 1 }),
  startDate: day().optional(),
  endDate: day(),
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

type Kept = Item<typeof Provisioning>

/** What became of a step. `differs`: something else is there already, and stays as it is. */
interface Report {
  readonly outcome: Kept['steps'][number]['outcome']
  readonly reason?: string
}

/** One step: what it makes, and how. */
interface Step {
  readonly name: string
  run(context: PlatformContext, job: string): Promise<Report>
}

/** Creates an item unless it is there. One that is there is compared with what was asked for, and never changed. */
async function ensured<E extends Entity>(
  context: PlatformContext,
  entity: E,
  values: New<E>,
  alongside: () => Promise<Alongside> = async () => ({}),
): Promise<Report> {
  const id: Id<E> = idOfItem(entity, values)
  const there = await context.table.repositoryNamed(entity.name).get(id, { consistent: true })
  if (there === undefined) {
    try {
      const { accountId }: View = values
      await createItem(context, entity, values, { ...(await alongside()), tenant: typeof accountId === 'string' ? accountId : undefined })
      return { outcome: 'done' }
    } catch (error) {
      if (!isFreeholdError(error, 'AlreadyExists') || error.details.entity !== entity.name) throw error
      return ensured(context, entity, values, alongside)
    }
  }
  const view: View = there
  const other = Object.entries(values)
    .filter(([name, value]) => (view[name] ?? undefined) !== (value ?? undefined))
    .map(([name]) => name)
  return other.length === 0
    ? { outcome: 'done before' }
    : { outcome: 'differs', reason: `${other.join(', ')} of ${entity.name} ${Object.values(id).join(' ')}` }
}

/** An account has one technical user: another one that is there stays. */
async function contactEnsured(
  context: PlatformContext,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<Report> {
  const [there] = (await context.table.technicalUserOfAccount({ accountId }, { consistent: true, limit: 1 })).items
  if (there === undefined) {
    await setContact(context, { accountId, userId })
    return { outcome: 'done' }
  }
  return there.userId === userId ? { outcome: 'done before' } : { outcome: 'differs', reason: `the technical user is ${there.id}` }
}

/** Several items as one step: the step is what the first says that was not as asked for. */
async function allEnsured(parts: readonly (() => Promise<Report>)[]): Promise<Report> {
  const reports: Report[] = []
  for (const part of parts) reports.push(await part())
  const worst = reports.find(({ outcome }) => outcome === 'differs') ?? reports.find(({ outcome }) => outcome === 'done')
  return worst ?? { outcome: 'done before' }
}

const viewed = [...new Set(Object.values(flowMenus).map(({ menu }) => menu))]

/** The steps in their order. Their ids follow from that of the account, so that a repeat finds what it has made. */
function stepsOf({ accountId, name, addresses, technicalUser, licenses, workstream, menus }: Input): readonly Step[] {
  const { id: userId = `${accountId}.technical`, ...names } = technicalUser
  const [roleId, groupId] = [`${accountId}.technical-role`, `${accountId}.technical-group`]
  const step = <E extends Entity>(title: string, entity: E, values: New<E>): Step => ({
    name: title,
    run: (context) => ensured(context, entity, values),
  })
  return [
    step('account', Account, { id: accountId, name }),
    ...(addresses ?? []).map((each, index): Step => {
      const values = { accountId, id: `${accountId}.address-${index + 1}`, ...each }
      return {
        name: `address ${index + 1}`,
        run: (context) =>
          ensured(context, AccountAddress, values, async () => (each.isPrimary === true ? soleAddress(context, values) : {})),
      }
    }),
    step('user', User, { id: userId, accountId, ...names }),
    { name: 'technical user', run: (context) => contactEnsured(context, { accountId, userId }) },
    ...(licenses ?? []).map(
      ({ id, ...each }, index): Step => ({
        name: `licence ${index + 1}`,
        // Its enterprise is of no account.
        run: (context) =>
          ensured({ ...context, table: context.unscoped }, License, { accountId, id: id ?? `${accountId}.license-${index + 1}`, ...each }),
      }),
    ),
    step('workstream', Workstream, { accountId, id: defaultWorkstreamId(accountId), name: workstream ?? 'Default' }),
    {
      name: 'technical role',
      run: (context) =>
        allEnsured([
          () => ensured(context, Role, { id: roleId, accountId, name: 'Technical user' }),
          ...(menus ?? viewed).map((menuKey) => () => ensured(context, RolePermission, { roleId, menuKey, canView: true })),
        ]),
    },
    {
      name: 'technical group',
      run: (context) =>
        allEnsured([
          () => ensured(context, Group, { id: groupId, accountId, name: 'Technical users' }),
          () => ensured(context, GroupRole, { groupId, roleId }),
          () => ensured(context, GroupMember, { groupId, userId }),
        ]),
    },
    {
      name: 'credentials',
      run: async (context, job): Promise<Report> => {
        const { outcome, reason } = await deliverCredentials(context, { accountId, userId }, job)
        const as = { sent: 'done', passed: 'done before', skipped: 'skipped', failed: 'failed' } as const
        return { outcome: as[outcome], ...(reason === undefined ? {} : { reason }) }
      },
    },
  ]
}

const outcomesOf = ({ steps }: Kept) => new Map(steps.map((each) => [each.step, each]))

/** Writes the outcome of a step into the report. A step that this job has done stays done. */
function note({ table }: PlatformContext, accountId: string, job: string, step: string, report: Report): Promise<void> {
  const attempt = async () => {
    const before = await table.Provisioning.get({ accountId }, { consistent: true })
    const known = before?.job === job ? outcomesOf(before) : new Map<string, Kept['steps'][number]>()
    if (known.get(step)?.outcome === 'done') return
    const after = { job, steps: [...known.values()].filter((each) => each.step !== step).concat({ step, ...report }) }
    if (before === undefined) await table.Provisioning.create({ accountId, ...after })
    else await table.Provisioning.update({ accountId }, after, { version: before.version })
  }
  return retryOnConflict(table.runtime, attempt, ['AlreadyExists'])
}

/** The failure of one step: the others go on. A storage failure ends the run, and the job is done again. */
function reportOf(error: unknown): Report {
  if (!isFreeholdError(error) || error.category === 'unavailable' || error.category === 'retryable') throw error
  return { outcome: 'failed', reason: `${error.message} (${error.code})` }
}

const provisioning = job({
  name: 'provisionAccount',
  flow: 'provisionAccount',
  input,
  subject: ({ accountId }) => `ACCOUNT#${accountId}`,
  within: ({ accountId }) => ({ accountId }),
  about: ({ accountId }) => ({ entity: Provisioning, id: { accountId } }),
  each: async function* (_context, asked): AsyncGenerator<Step> {
    yield* stepsOf(asked)
  },
  does: async (context, { name, run }, { accountId }, { id }) => {
    const report = await run(context, id).catch(reportOf)
    // The account of another is not provisioned.
    if (name === 'account' && report.outcome !== 'done' && report.outcome !== 'done before') {
      const message = `The account ${accountId} is there already, and is another: ${report.reason}.`
      throw new FreeholdError('AlreadyExists', message, { entity: Account.name, id: accountId })
    }
    await note(context, accountId, id, name, report)
  },
  stopsOn: ['AlreadyExists'],
})

export const provisionAccount = flow({
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
    for (const { seats, startDate, endDate } of asked.licenses ?? [])
      checkTerms(context.flow, seats, startDate ?? todayOf(context), endDate)
    const there = await context.table.Account.get({ id: asked.accountId }, { consistent: true })
    if (there !== undefined && there.name !== asked.name)
      throw new FreeholdError('AlreadyExists', `There is an account ${asked.accountId} with another name.`, { entity: Account.name })
    await provisioning.start(context, asked)
    return liveItem(context, Provisioning, { accountId: asked.accountId })
  },
})

export const provisioningReport = flow({
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

export const provisioningJobs = [provisioning]
