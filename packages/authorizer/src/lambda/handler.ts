/** The handler of a Lambda function, with its settings from the environment. A program exports it: `export { handler } from '@freehold/authorizer/lambda'`. */
import { readEnvironment } from '../environment.ts'
import { deployedAuthorizer } from './deployed-authorizer.ts'

export const handler = await deployedAuthorizer(readEnvironment())
