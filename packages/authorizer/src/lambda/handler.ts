/** The handler of a Lambda function, with its settings from the environment. A program exports it: `export { handler } from '@freehold/authorizer/lambda'`. */

import { setFlagsFromString } from 'node:v8'
import { readEnvironment } from '../environment.ts'
import { deployedAuthorizer } from './deployed-authorizer.ts'

// V8 would optimise Cedar's parsers while they run for the only time, which takes more CPU than all the rest of a start. Policies that are asked often
// are optimised all the same, later.
setFlagsFromString('--wasm-tiering-budget=400000000')
// Of 7,000 functions a start calls a few hundred: each is validated when it is first called, and not all of them beforehand.
setFlagsFromString('--wasm-lazy-validation')

export const handler = await deployedAuthorizer(readEnvironment())
