import { accountManagement, offeredAccountFlows } from '@freehold/designs/account-management'
import { authorization, authorizationModule } from '@freehold/designs/authorization'
import { platform, platformModule } from '@freehold/designs/platform'
import { operator } from '@freehold/frame/flow'
import { accountFixtures, consuming, flowSteps } from '../calls/account-calls.ts'
import { authorizationFixtures } from '../calls/authorization-calls.ts'
import { callOf, planOf, touch } from '../calls/plan.ts'
import { seatFixtures } from '../calls/seat-calls.ts'
import type { Entry } from '../record.ts'
import type { Actor } from './actor.ts'
import type { Situation } from './situation.ts'

// A flow meets a fault after it has written, or does not know whether it has.

const { LoginSession, Role } = accountManagement.entities
const { client_id, members } = accountFixtures

const id = '00000000-0000-4000-8000-000000000001'
const role = { client_id, id }
const hurried = { patience_ms: 600, attempt_ms: 1000, wait_ms: 600 }
const always = { times: Number.POSITIVE_INFINITY } as const

const flowsOf = async (actor: Actor, user_agent?: string) =>
  offeredAccountFlows.of((await actor.tables()).account, { actor: operator, ...(user_agent === undefined ? {} : { user_agent }) })

async function consume(actor: Actor): Promise<Entry> {
  const { account } = await actor.tables()
  return actor.call((user_agent) => consuming(offeredAccountFlows.of(account, { actor: operator, user_agent })))
}

/** Sessions that have long ended. */
const sessions = [1, 2].map((number) => ({
  id: `00000000-0000-4000-8000-00000000010${number}`,
  user_id: members[0] ?? '',
  session_start: `2020-01-0${number}T00:00:00.000Z`,
}))

const { LicenseSeat } = platform.entities
const { Role: GrantedRole, TenantGrant } = authorization.entities

/** Gives a user a seat of one licence. */
async function assign(actor: Actor, userId: string): Promise<Entry> {
  const flows = platformModule.flows.of((await actor.tables()).platform, { actor: operator })
  const seat = { accountId: seatFixtures.accountId, licenseId: seatFixtures.license, userId }
  return actor.call(() =>
    callOf('platform', 'assignSeat', touch(LicenseSeat, 'ensure', seat), seat, () => flows.assignSeat(seat), { steps: flowSteps }),
  )
}

export const flows: readonly Situation[] = [
  {
    name: 'the last seat of a licence is taken while another claims it',
    run: async ({ ours, theirs, script, expect }) => {
      const [first = '', second = '', third = ''] = seatFixtures.users
      await assign(theirs, first)
      script({ on: 'write', before: () => assign(theirs, second) })
      const late = await assign(ours, third)
      expect(late.outcome.is === 'error' && !late.outcome.uncertain, 'A seat that is not there is refused', late)
    },
  },
  {
    name: 'a role is deleted while a grant gives it',
    run: async ({ ours, theirs, script, expect }) => {
      const { tenant: tenantId, user: userId, roles } = authorizationFixtures
      const [roleId = ''] = roles
      const flowsOf = async (actor: Actor) => authorizationModule.flows.of((await actor.tables()).authorization, { actor: operator })
      const [own, others] = [await flowsOf(ours), await flowsOf(theirs)]
      const key = { scope: 'tenant', name: 'role 0' }
      const deletes = () =>
        theirs.call(() =>
          callOf('authorization', 'deleteRole', touch(GrantedRole, 'remove', key), { roleId }, () => others.deleteRole({ roleId }), {
            steps: 2 * flowSteps,
          }),
        )
      script({ on: 'write', before: deletes })
      const grant = { tenantId, userId, roles: [roleId] }
      const given = await ours.call(() =>
        callOf('authorization', 'createGrant', touch(TenantGrant, 'create', grant), grant, () => own.createGrant(grant), {
          steps: flowSteps,
        }),
      )
      expect(given.outcome.is === 'error' && !given.outcome.uncertain, 'A role that is gone is given to nobody', given)
    },
  },
  {
    name: 'the job of a flow is recorded, and meets throttling',
    bounds: hurried,
    run: async ({ ours, theirs, script, expect }) => {
      const [own, others] = [await flowsOf(ours), await flowsOf(theirs)]
      const input = { ...role, name: 'keeper' }
      const more = { steps: flowSteps }
      await theirs.call(() =>
        callOf('account-management', 'createRole', touch(Role, 'create', role, true), input, () => others.createRole(input), more),
      )
      script({ on: 'write' }, { on: 'any', kind: 'throttle', ...always })
      const change = { ...role, permission_form: 'linked' } as const
      const turned = await ours.call(() =>
        callOf('account-management', 'changeRoleForm', touch(Role, 'update', role, true), change, () => own.changeRoleForm(change), more),
      )
      expect(turned.outcome.pending.length > 0, 'A flow whose job is recorded names it as pending', turned)
    },
  },
  {
    name: 'a flow has written, the engine is started again, and another does the same',
    run: async ({ ours, theirs, script, expect }) => {
      script({ on: 'write', kind: 'restart', after: () => consume(theirs) })
      const consumed = await consume(ours)
      expect(consumed.outcome.is === 'ok', 'A flow knows its own record of what it has done', consumed)
    },
  },
  {
    name: 'a flow has written a part, and the rest meets throttling',
    bounds: hurried,
    run: async ({ ours, theirs, script }) => {
      const own = await flowsOf(ours)
      for (const session of sessions) await theirs.create(LoginSession, { ...session, expires_at: '2020-02-01T00:00:00.000Z' })
      // A session goes after its lookup item.
      script({ on: 'write', times: 2 }, { on: 'write', kind: 'throttle', ...always })
      const touches = sessions.map((session) => touch(LoginSession, 'may-remove', session))
      await ours.call(() =>
        planOf('account-management', 'sweep', touches, { client_id }, async () => ({ result: await own.sweep({ client_id }) }), {
          steps: 50,
        }),
      )
    },
  },
]
