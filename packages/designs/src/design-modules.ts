import type { DesignModule } from '@freehold/frame'
import { accountManagementModule } from './account-management/index.ts'
import { authorizationModule } from './authorization/index.ts'
import { platformModule } from './platform/index.ts'
import { rebacModule } from './rebac/index.ts'

/** The finished designs, by name. */
export const designModules: ReadonlyMap<string, DesignModule> = new Map(
  [accountManagementModule, authorizationModule, platformModule, rebacModule].map((each: DesignModule) => [each.design.name, each]),
)
