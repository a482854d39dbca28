import { beforeAll, beforeEach, expect } from 'vitest'
import { senderAfter } from '../../../test/engine/sender-after.ts'
import type { AccountFlows } from '../src/account-management/flows/flows.ts'
import { type AccountWork, accountWork, checkedAccountFlows } from './account-flows.ts'

export let work: AccountWork
export let ours: string
export let ada: string
export let bob: string
export let role_id: string
/** As ada. */
export let acting: AccountFlows

/** The changes of a test, and its observations. */
export const hooks: {
  /** Done before a transaction goes out: the next one, or where it gives back true, each one until it does not. */
  meanwhile: (() => Promise<unknown>) | undefined
  /** Done before an item of this key is read the next time, or items of this partition are listed. */
  beforeRead: { readonly key: string; readonly work: () => Promise<unknown> } | undefined
  /** Transactions that went out, by their numbers of actions; none of what is done meanwhile. */
  sent: number[]
  now_ms: number
} = { meanwhile: undefined, beforeRead: undefined, sent: [], now_ms: Date.parse('2026-03-01T12:00:00.000Z') }
export const at = (hours: number) => new Date(hooks.now_ms + hours * 3_600_000).toISOString()

let count = 0
export const pattern = (text: string) => {
  const [module = '', action = '', resource = ''] = text.split(':')
  return { module, action, resource }
}
export const permission = (...texts: string[]) =>
  texts.map((text) => pattern(text.includes(':') ? text : `account-management:${text.replace(' ', ':')}`))
export const atClient = () => ({ scope_type: 'client', scope_id: ours }) as const
export const newRole = async (...texts: string[]) =>
  (await work.flows.createRole({ client_id: ours, name: `Role ${++count}`, permissions: permission(...texts) })).id
export const give = async (user_id: string, texts: string[], bounds: object = {}) => {
  const id = await newRole(...texts)
  await work.flows.assignRole({ user_id, role_id: id, ...atClient(), ...bounds })
  return id
}
export const newUser = async (client_id?: string) => {
  const user_type = client_id === undefined ? 'internal' : 'client_admin'
  return (await work.table.User.create({ client_id, email: `user${++count}@ours.example`, user_type })).id
}
export const as = (user_id: string) => checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id } })

export const newProject = async () => (await work.flows.createProject({ client_id: ours, name: `Project ${++count}` })).id
export const projects = async () => (await work.table.projectsOfClient({ client_id: ours })).items.length
export const entries = async (action: string) =>
  (await work.audit(ours)).filter((entry) => entry.action === action && entry.user_id !== undefined)
export const suspend = () => work.flows.suspendClient({ id: ours })
export const revoke = (user_id: string, id: string) => work.flows.revokeRole({ user_id, role_id: id, ...atClient() })
export const denied = (reason: string) => ({ code: 'Denied', details: { reason } })
/** The entry of a call that was denied. */
export const failure = (reason: string) =>
  expect.objectContaining({ status: 'failure', user_id: ada, metadata: expect.objectContaining({ reason }) })

/** The assignment that is there, anew: its versions are counted from the first again. */
export async function givenAnew(user_id: string, id: string, bounds: object) {
  await revoke(user_id, id)
  await work.flows.assignRole({ user_id, role_id: id, ...atClient(), ...bounds })
}

/** Writes of ada’s are held up while somebody else takes away what they rest on. A client of its own for each test. */
export function holdUpWrites(): void {
  beforeAll(async () => {
    const sender = senderAfter(async (operation, input) => {
      const isRead = operation === 'GetItem' || operation === 'Query'
      if (isRead && hooks.beforeRead !== undefined && JSON.stringify(input).includes(hooks.beforeRead.key)) {
        const { work } = hooks.beforeRead
        hooks.beforeRead = undefined
        await work()
      }
      if (operation === 'TransactWriteItems') {
        const before = hooks.meanwhile
        hooks.meanwhile = undefined
        if (before !== undefined) {
          const known = [...hooks.sent]
          if ((await before()) === true) hooks.meanwhile = before
          hooks.sent = known
        }
        // Every transaction has its list of actions.
        hooks.sent.push((input as { readonly TransactItems: readonly unknown[] }).TransactItems.length)
      }
    })
    work = await accountWork({ sender, now: () => new Date(hooks.now_ms++), sleep: async () => {} })
  })
  beforeEach(async () => {
    hooks.meanwhile = undefined
    hooks.beforeRead = undefined
    ours = (await work.flows.createClient({ name: `Ours ${++count}` })).id
    ada = await newUser(ours)
    bob = await newUser(ours)
    role_id = await give(ada, [
      'create project',
      'assign role',
      'update role',
      'create role',
      'enable user',
      'delete role',
      'revoke role',
      'move building',
    ])
    acting = as(ada)
    hooks.sent = []
  })
}
