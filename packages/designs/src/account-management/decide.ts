import { type DeciderOptions, deciderOf } from '@freehold/frame/decision'
import type { Runtime } from '@freehold/table'
import { can } from './deciding/can.ts'
import { type AccountDecider, questions } from './deciding/question.ts'
import { takeAccess } from './deciding/take-access.ts'
import { what } from './deciding/what.ts'
import { where } from './deciding/where.ts'
import { who } from './deciding/who.ts'
import { why } from './deciding/why.ts'
import { accessSnapshot } from './snapshot/access-snapshot.ts'

export type { AccountDecider } from './deciding/question.ts'

/** Decisions over an account-management table. It remembers definitions and names between questions: one for each connection to a table. */
export const decideAccountManagement: (runtime: Runtime, options?: DeciderOptions) => AccountDecider = deciderOf(questions, {
  ...{ can, why, what, who, where },
  // Subscriptions are of projects and buildings: with a module, each scope is checked by itself.
  isExpanded: ({ module_id }, expand) => expand || module_id !== undefined,
  access: async (sources, asked, how) => accessSnapshot(await takeAccess(sources, asked, how), () => sources.runtime.now().getTime()),
})
