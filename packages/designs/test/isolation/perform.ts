import { checking, creating, isFreeholdError, moving, type Repository, removing, type Steps, type Table, updating } from '@freehold/table'
import { operator } from '../../../frame/src/flow/actor.ts'
import { type AccountDecider, decideAccountManagement } from '../../src/account-management/decide.ts'
import { AuditLog, type accountManagement } from '../../src/account-management/design.ts'
import { checkedAccountFlows } from '../account-flows.ts'
import { entityNamed } from './choose-values.ts'
import { askedMeanwhile, type Heard } from './race.ts'
import type { QuestionName, Step } from './step.ts'

type AccountTable = Table<typeof accountManagement>

/** The result of a step: the value given back, or an error with all that it tells. */
export interface Outcome {
  readonly code?: string
  readonly gives?: unknown
  /** All that the caller gets to see. */
  readonly told: string
  /** The answers meanwhile. */
  readonly heard?: readonly Heard[]
}

/** The ways in which clients come to the table. */
export interface Doors {
  readonly whole: AccountTable
  inTenantScope(client: string | undefined): AccountTable
  decider(client: string | undefined): AccountDecider
  /** Does a step that a caller of a face can do. The others are done as in the same process. */
  readonly atFace?: AtFace | undefined
}
export type AtFace = (step: Step) => Promise<Outcome | undefined>

export function doorsTo(whole: AccountTable, atFace?: AtFace): Doors {
  const scoped = new Map<string, AccountTable>()
  const deciders = new Map<string, AccountDecider>()
  const inTenantScope = (client: string | undefined) => {
    if (client === undefined) return whole
    const table = scoped.get(client) ?? whole.forTenant(client)
    scoped.set(client, table)
    return table
  }
  return {
    whole,
    inTenantScope,
    atFace,
    decider: (client) => {
      const decider = deciders.get(client ?? '') ?? decideAccountManagement(inTenantScope(client).runtime)
      deciders.set(client ?? '', decider)
      return decider
    },
  }
}

/** A check and a write of one item, in one transaction with an item of the client's own. */
function transaction({ subject, input, change, how }: Step): Steps {
  const entity = entityNamed(subject)
  // The transaction says whether it fits.
  const [one, changed] = [input as never, change as never]
  const check = checking(entity, one)
  if (how?.verb === 'removing') return { check, write: removing(entity, one) }
  return { check, write: how?.verb === 'moving' ? moving(entity, one, changed) : updating(entity, one, changed) }
}

async function write(table: AccountTable, step: Step): Promise<unknown> {
  const { kind, subject, input, change, how } = step
  // A connected table has the repository of each entity by its name. What fits is for the repository to say.
  const repository = (table as unknown as Readonly<Record<string, Repository>>)[subject]
  if (repository === undefined) throw new Error(`The table has no ${subject}.`)
  const [one, changed, options] = [input as never, change as never, how as never]
  const items = input.items as never
  switch (kind) {
    case 'create':
      return repository.create(one)
    case 'ensure':
      return repository.ensure(one)
    case 'createMany':
      return repository.createMany(items)
    case 'get':
      return repository.get(one, options)
    case 'getMany':
      return repository.getMany(items, options)
    case 'update':
      return repository.update(one, changed, options)
    case 'move':
      return repository.move(one, changed, options)
    case 'remove':
      return repository.remove(one, options)
    case 'check':
      return table.transact({ check: checking(entityNamed(subject), one, options) })
    default:
      return table.transact({ ...transaction(step), audit: creating(AuditLog, { action: 'x', client_id: table.runtime.tenant }) })
  }
}

async function ask(decider: AccountDecider, { subject, input, how }: Step): Promise<unknown> {
  const name = subject as QuestionName
  // The decider says whether it fits.
  return name === 'canMany' ? decider.canMany(input.items as never, how) : decider[name](input as never, how)
}

async function answer(doors: Doors, step: Step): Promise<unknown> {
  const { kind, subject, client, input, how, actor, tenantScope } = step
  if (kind === 'wait') return undefined
  if (kind === 'question') return ask(doors.decider(client), step)
  if (kind === 'list') return doors.inTenantScope(client).patternNamed(subject)(input, how as never)
  if (kind !== 'flow') return write(doors.inTenantScope(client), step)
  const caller = { actor: actor === undefined ? operator : { kind: 'user' as const, user_id: actor }, ip_address: '203.0.113.7' }
  const flows = checkedAccountFlows.of(tenantScope === undefined ? doors.whole : doors.inTenantScope(tenantScope), caller)
  const run: unknown = flows[subject as keyof typeof flows]
  // Each flow reads its input itself.
  return (run as (input: unknown) => Promise<unknown>)(input)
}

const toldOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part instanceof Error && isFreeholdError(part) ? { code: part.code, message: part.message, details: part.details } : part,
  ) ?? 'nothing'

/** Does a step. Throws what is no error of this project: a defect. */
export async function perform(doors: Doors, step: Step): Promise<Outcome> {
  if (step.kind === 'race' && step.raced !== undefined) {
    const flow = perform(doors, { ...step, kind: 'flow' })
    const heard = await askedMeanwhile(doors.decider(step.client), step.raced, flow)
    return { ...(await flow), heard }
  }
  const done = await doors.atFace?.(step)
  if (done !== undefined) return done
  try {
    const gives = await answer(doors, step)
    return { gives, told: toldOf(gives) }
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    return { code: error.code, told: toldOf(error) }
  }
}
