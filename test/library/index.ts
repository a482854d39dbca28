import { type DesignModule, openModule } from '@freehold/designs'
import { libraryAuthzen } from './authzen.ts'
import { decideLibrary } from './decide.ts'
import { library } from './design.ts'
import { type libraryFlows, offeredLibraryFlows } from './flows.ts'

/** The library, as any program's own design: `freehold` and the service are given it. */
export const libraryModule = {
  design: library,
  summary: 'Branches, their books and members, who borrow until a day and may have posts.',
  decider: decideLibrary,
  flows: offeredLibraryFlows,
  authzen: () => libraryAuthzen,
} satisfies DesignModule<typeof library, ReturnType<typeof decideLibrary>, typeof libraryFlows>

export const open = (options: Parameters<typeof openModule>[1]) => openModule(libraryModule, options)
