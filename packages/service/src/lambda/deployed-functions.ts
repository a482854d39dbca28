import { designModules } from '@freehold/designs'
import { type DesignModule, moduleOf } from '@freehold/frame'
import { type AnyDesign, FreeholdError } from '@freehold/table'
import { readEnvironment } from '../environment.ts'
import { deployedService } from './deployed-service.ts'
import { deployedTables, variablesOf } from './deployed-tables.ts'
import { scheduledWork } from './scheduled-work.ts'

/** The handlers of a deployment. */
export interface DeployedFunctions {
  /** Answers events of API Gateway and of function URLs. */
  readonly handler: Awaited<ReturnType<typeof deployedService>>
  /** Does the work that events of a schedule ask for. */
  readonly schedule: ReturnType<typeof scheduledWork>
}

/**
 * The handlers of a deployment with its settings from the environment, in which `FREEHOLD_DESIGNS` names the served designs. They open their tables once an
 * instance, before the first event.
 * @param own designs of a program's own, or their modules, beside the finished designs
 * @throws InvalidInput for settings that are missing or malformed, and for what is no design
 */
export async function deployedFunctions(own: readonly (AnyDesign | DesignModule)[] = []): Promise<DeployedFunctions> {
  const modules = own.map((each) => {
    const module = moduleOf(each)
    if (module === undefined) throw new FreeholdError('InvalidInput', 'The functions serve designs, or modules of designs.', { issues: [] })
    return module
  })
  const known = new Map([...designModules, ...modules.map((module) => [module.design.name, module] as const)])
  const env = readEnvironment(variablesOf(known))
  const deployed = await deployedTables(env, { modules: known })
  return { handler: await deployedService(env, deployed), schedule: scheduledWork(deployed) }
}
