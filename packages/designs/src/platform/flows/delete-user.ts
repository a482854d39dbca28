import { changeItem, removeItem } from '@freehold/frame/flow'
import { type Item, isFreeholdError, opaqueId } from '@freehold/table'
import { consistent } from '@freehold/table/runtime'
import { User, type UserSeat } from '../design.ts'
import { on } from './flow-menus.ts'
import { seats } from './licenses/seats.ts'
import { job, type PlatformContext } from './platform-host.ts'

/** Looks at the user and its seats: one if nobody else changes it. */
const looksMax = 20

type Seat = Item<typeof UserSeat>
type Stage =
  | { readonly stage: 'deactivate' }
  | { readonly stage: 'release'; readonly seat: Seat }
  | { readonly stage: 'remove'; readonly version: number }

/** Looks at the user again and again, until it goes in the version in which it was inactive: an inactive user gets no seat. */
async function* stagesOf({ table }: PlatformContext, id: string): AsyncGenerator<Stage> {
  for (let looks = 0; looks < looksMax; looks++) {
    yield { stage: 'deactivate' }
    const user = await table.User.get({ id }, consistent)
    if (user === undefined || user.deleting !== undefined) return
    if (user.status !== 'inactive') continue
    for await (const seat of table.seatsOfUser.all({ userId: id }, consistent)) yield { stage: 'release', seat }
    yield { stage: 'remove', version: user.version }
  }
}

async function doStage(context: PlatformContext, step: Stage, id: string): Promise<unknown> {
  if (step.stage === 'deactivate') return changeItem(context, User, { id }, { status: 'inactive' })
  if (step.stage === 'release') return seats.free(context, step.seat)
  await removeItem(context, User, { id }, { version: step.version })
  return false
}

const passesOver = ['NotFound', 'BeingDeleted', 'VersionConflict'] as const

/** The same within another job. */
export async function removeUser(context: PlatformContext, id: string): Promise<void> {
  for await (const step of stagesOf(context, id)) {
    const result = await doStage(context, step, id).catch((error: unknown) => {
      if (!passesOver.some((code) => isFreeholdError(error, code))) throw error
    })
    if (result === false) return
  }
}

/**
 * The durable job that deletes a user. No seat is left when it goes, and each was counted once. Calls at the same time do this together, and each is told
 * that it is done.
 */
export const deletingUser = job({
  name: 'deleteUser',
  input: { accountId: opaqueId(), id: opaqueId() },
  subject: ({ id }) => `USER#${id}`,
  within: ({ accountId }) => ({ accountId }),
  needs: [on('users', 'delete')],
  each: (context, { id }) => stagesOf(context, id),
  does: (context, step, { id }) => doStage(context, step, id),
  passesOver,
  // A caller that deletes itself may do nothing from the first step on.
  whenDenied: ({ caller: { actor } }, { id }) => (actor.kind === 'user' && actor.user_id === id ? 'continue-as-job' : 'stop'),
})
