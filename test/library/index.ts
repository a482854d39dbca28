import { type DesignModule, openModule } from '@freehold/frame'
import { access } from './access.ts'
import { library } from './design.ts'
import { type libraryFlows, offeredLibraryFlows } from './flows.ts'

/** The library, as any program's own design: `freehold` and the service are given it. */
export const libraryModule = {
  design: library,
  summary: 'Branches, their books and members, who borrow until a day and may have posts.',
  decider: access.decider,
  flows: offeredLibraryFlows,
  authzen: access.authzen,
  access,
} satisfies DesignModule<typeof library, ReturnType<typeof access.decider>, typeof libraryFlows>

export const open = (options: Parameters<typeof openModule>[1]) => openModule(libraryModule, options)
