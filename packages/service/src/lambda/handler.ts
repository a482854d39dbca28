/** The handlers of a deployment of the finished designs. A program exports them: `export { handler, schedule } from '@freehold/service/lambda'`. */

import { deployedFunctions } from './deployed-functions.ts'

export const { handler, schedule } = await deployedFunctions()
