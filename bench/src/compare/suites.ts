import { accountsSuite } from './accounts-suite.js'
import type { Suite } from './operation.js'
import { rebacSuite } from './rebac-suite.js'
import { shopSuite } from './shop-suite.js'

/** In the order in which they are run and printed. */
export const suites: readonly Suite[] = [shopSuite, rebacSuite, accountsSuite]

const fullName = (suite: Suite, operation: string) => `${suite.name} ${operation}`

export const operationNames: readonly string[] = suites.flatMap((suite) => suite.operations.map((each) => fullName(suite, each)))

/** The suite of an operation, and what it is called there. */
export function suiteOf(name: string): { readonly suite: Suite; readonly operation: string } {
  for (const suite of suites) for (const operation of suite.operations) if (fullName(suite, operation) === name) return { suite, operation }
  throw new Error(`There is no operation '${name}'.`)
}
