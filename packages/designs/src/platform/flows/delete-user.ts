import { type Item, opaqueId, removing, type Steps, updating } from '@freehold/table'
import { entryOf, writeRecorded } from '../../flow/recorded-write.ts'
import { retryOnConflict } from '../../flow/retry-on-conflict.ts'
import { changeItem, removeItem } from '../../flow/write-item.ts'
import { License, LicenseSeat, User, type UserSeat } from '../design.ts'
import { allows, type FlowMenus } from './flow-menus.ts'
import { job, type PlatformContext } from './platform-host.ts'

const consistent = { consistent: true }
/** Looks at the user and its seats: one if nobody else changes it. */
const looksMax = 20

type Seat = Item<typeof UserSeat>
type Stage =
  | { readonly stage: 'deactivate' }
  | { readonly stage: 'release'; readonly seat: Seat }
  | { readonly stage: 'remove'; readonly version: number }

/** Takes a seat from the user, and one from those of the licence that are used: in one transaction, so that it is counted once. */
function releaseSeat(context: PlatformContext, { accountId, licenseId, userId }: Seat): Promise<unknown> {
  return retryOnConflict(context.table.runtime, async () => {
    const before = await context.table.LicenseSeat.get({ licenseId, userId }, consistent)
    if (before === undefined) return
    const id = { accountId, id: licenseId }
    const license = await context.table.License.get(id, consistent)
    const isLive = license !== undefined && license.deleting === undefined
    const counted: Steps = isLive
      ? { license: updating(License, id, { seatsUsed: license.seatsUsed - 1 }, { version: license.version }) }
      : {}
    const seat = removing(LicenseSeat, { licenseId, userId }, { version: before.version })
    await writeRecorded(context, { ...counted, seat }, { ...entryOf(context, LicenseSeat, before), before })
  })
}

/**
 * The durable job that deletes a user. An inactive user gets no seat, and the removal names the version in which it was inactive: so no seat is
 * left when it goes, and each was counted once.
 */
export const deletingUser = (menus: FlowMenus) =>
  job({
    name: 'deleteUser',
    flow: 'deleteUser',
    input: { accountId: opaqueId(), id: opaqueId() },
    subject: ({ id }) => `USER#${id}`,
    within: ({ accountId }) => ({ accountId }),
    needs: [allows(menus.deleteUser)],
    each: async function* ({ table }, { id }): AsyncGenerator<Stage> {
      for (let looks = 0; looks < looksMax; looks++) {
        yield { stage: 'deactivate' }
        const user = await table.User.get({ id }, consistent)
        if (user === undefined || user.deleting !== undefined) return
        if (user.status !== 'inactive') continue
        for await (const seat of table.seatsOfUser.all({ userId: id }, consistent)) yield { stage: 'release', seat }
        yield { stage: 'remove', version: user.version }
      }
    },
    does: async (context, step, { id }) => {
      if (step.stage === 'deactivate') return changeItem(context, User, { id }, { status: 'inactive' })
      if (step.stage === 'release') return releaseSeat(context, step.seat)
      await removeItem(context, User, { id }, { version: step.version })
      return false
    },
    passesOver: ['NotFound', 'BeingDeleted', 'VersionConflict'],
    // A caller that deletes itself may do nothing from the first step on.
    whenDenied: ({ caller: { actor } }, { id }) => (actor.kind === 'user' && actor.user_id === id ? 'continue-as-job' : 'stop'),
  })
