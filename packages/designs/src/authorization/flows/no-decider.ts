import type { Decider, Reason } from '@freehold/frame/decision'

const reason: Reason = {
  kind: 'policy',
  code: 'NoDecider',
  message: 'Nothing decides here what a user may do: give the command --policies DIR or --store ID, or the module policies or a decider.',
}

const denying = async () => ({ allowed: false, reason })
const empty = async () => ({ items: [], reason })

/** Denies everything: flows fail closed for calling users where a program gives no decider. */
export const noDecider: Decider = Object.freeze({
  fields: { can: [], why: [], what: [], who: [], where: [] },
  can: denying,
  canMany: async (questions: readonly unknown[]) => Promise.all(questions.map(denying)),
  why: async () => ({ allowed: false, reason, chains: [], missing: [] }),
  what: empty,
  who: empty,
  where: empty,
})
