import { type DeciderOptions, deciderOf } from '@freehold/frame/decision'
import type { Runtime } from '@freehold/table'
import { can } from './deciding/can.ts'
import { type PlatformDecider, questions } from './deciding/question.ts'
import { takeAccess } from './deciding/take-access.ts'
import { what } from './deciding/what.ts'
import { where } from './deciding/where.ts'
import { who } from './deciding/who.ts'
import { why } from './deciding/why.ts'
import { accessSnapshot } from './snapshot/access-snapshot.ts'

export type { PlatformDecider } from './deciding/question.ts'

/** Decisions over a platform table. It remembers definitions and names between questions: one for each connection to a table. */
export const decidePlatform: (runtime: Runtime, options?: DeciderOptions) => PlatformDecider = deciderOf(questions, {
  ...{ can, why, what, who, where },
  isExpanded: (_, expand) => expand,
  access: async (sources, asked, how) => accessSnapshot(await takeAccess(sources, asked, how), () => sources.runtime.now().getTime()),
})
