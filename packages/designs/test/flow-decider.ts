import type { Can, Decider } from '../../frame/src/decision/decision.ts'

const never = async () => {
  throw new Error('no flow asks this')
}

/** A decider that the test answers. It keeps the questions of a flow, which asks nothing else. */
export function answering(answer: (question: unknown) => Can): { readonly decider: Decider; readonly asked: unknown[] } {
  const asked: unknown[] = []
  const decider: Decider = {
    fields: { can: [], why: [], what: [], who: [], where: [] },
    can: never,
    canMany: async (all) => all.map(answer),
    why: async (question, how) => {
      asked.push({ question, how })
      return { ...answer(question), chains: [], missing: [] }
    },
    what: never,
    who: never,
    where: never,
  }
  return { decider, asked }
}

/** Decisions that allow everything, about a user who has these permissions for ever, wherever it is asked. */
export function holding(permissions: readonly Readonly<Record<string, unknown>>[]): Decider {
  const grants = [{ permissions, scopes: [], evidence: { assignments: [{}] } }]
  return { ...answering(() => ({ allowed: true })).decider, access: async () => ({ grants, toJSON: () => ({ grants }) }) }
}
