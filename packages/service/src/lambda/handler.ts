/**
 * The handlers of a deployment, with their settings from the environment. A program exports them:
 * `export { handler, schedule } from '@freehold/service/lambda'`. They open their tables once an instance, before the first event.
 */

import { readEnvironment } from '../environment.ts'
import { deployedService } from './deployed-service.ts'
import { deployedTables, variablesOf } from './deployed-tables.ts'
import { scheduledWork } from './scheduled-work.ts'

const env = readEnvironment(variablesOf())
const deployed = await deployedTables(env)

/** Answers events of API Gateway and of function URLs. */
export const handler = await deployedService(env, deployed)

/** Does the work that events of a schedule ask for. */
export const schedule = scheduledWork(deployed)
