import { parallelMap } from '@freehold/table/runtime'
import type { Consistency } from '../../frame/src/decision/decision.ts'
import type { AccountAccessQuestion, AccountDecider } from '../src/account-management/decide.ts'
import { covers } from '../src/account-management/permission/patterns.ts'
import { acme, ada, camera, harbour, pier } from './account-organisation.ts'

type More = Partial<AccountAccessQuestion>

/** A snapshot of ada's access, of the pier or of everywhere, as what it says at any moment. */
export async function snapshotAnswer(decider: AccountDecider, more: More, consistency: Consistency, at: 'pier' | 'everywhere' = 'pier') {
  const { user, module_id } = { ...whole, ...more }
  // A module is asked for at a place only.
  const place = at === 'everywhere' ? {} : { building: pier, ...(module_id === undefined ? {} : { module_id }) }
  const snapshot = await decider.access({ user, ...place }, { consistency })
  return () => snapshot.can(camera, { client: acme, project: harbour, building: pier })
}

/** Whether ada may look at the cameras of the pier, by each way of asking. */
export const accessAnswers = {
  can: async (decider: AccountDecider, more: More, consistency: Consistency) =>
    (await decider.can({ ...whole, ...more }, { consistency })).allowed,
  canMany: async (decider: AccountDecider, more: More, consistency: Consistency) =>
    (await decider.canMany([{ ...whole, ...more }], { consistency })).some(({ allowed }) => allowed),
  why: async (decider: AccountDecider, more: More, consistency: Consistency) =>
    (await decider.why({ ...whole, ...more }, { consistency })).chains.length > 0,
  what: async (decider: AccountDecider, more: More, consistency: Consistency) => {
    const { permission: _, ...question } = { ...whole, ...more }
    return (await decider.what(question, { consistency })).items.some(({ permission }) => covers(permission, camera))
  },
  who: async (decider: AccountDecider, more: More, consistency: Consistency) => {
    const { user: _, ...question } = { ...whole, ...more }
    return (await decider.who(question, { consistency })).items.some(({ user_id }) => user_id === ada)
  },
  where: async (decider: AccountDecider, more: More, consistency: Consistency) => {
    const { building: _, ...question } = { ...whole, ...more }
    return (await decider.where(question, { consistency })).items.some(({ scope_id }) => scope_id === harbour || scope_id === pier)
  },
  everywhere: async (decider: AccountDecider, more: More, consistency: Consistency) => {
    const { building: _, ...question } = { ...whole, ...more }
    return (await decider.where(question, { consistency, expand: true })).items.some(({ scope_id }) => scope_id === pier)
  },
  snapshot: async (decider: AccountDecider, more: More, consistency: Consistency) => (await snapshotAnswer(decider, more, consistency))(),
  snapshotOfAll: async (decider: AccountDecider, more: More, consistency: Consistency) =>
    (await snapshotAnswer(decider, more, consistency, 'everywhere'))(),
}
const whole = { user: ada, building: pier, permission: camera }

export type AccessAnswers = typeof accessAnswers
export type AccessAnswer = keyof AccessAnswers

/** All answers, side by side. */
export async function allAnswers(
  decider: AccountDecider,
  more: More,
  consistency: Consistency,
): Promise<Readonly<Record<string, boolean>>> {
  const answers = await parallelMap(Object.entries(accessAnswers), async ([name, answer]) => [
    name,
    await answer(decider, more, consistency),
  ])
  return Object.fromEntries(answers)
}

/** All answers that differ from those that stay. */
export function expectedAnswers(allowed: boolean, unchanged: readonly AccessAnswer[] = []): Readonly<Record<string, boolean>> {
  return Object.fromEntries(Object.keys(accessAnswers).map((name) => [name, allowed || unchanged.some((one) => one === name)]))
}
