import { isFreeholdError } from '@freehold/table'
import { expect } from 'vitest'
import type { Flows } from '../../frame/src/flow/flow.ts'
import { commonErrors } from '../../frame/src/flow/flow-errors.ts'
import type { OfferedFlows } from '../../frame/src/flow/offered-flows.ts'

/** Says of an error whether this flow declares it, or any flow can give it. */
function checkDeclared(flows: Flows<never>, name: string, error: unknown): void {
  if (!isFreeholdError(error)) return
  const declared: readonly string[] = [...commonErrors, ...(flows[name]?.errors ?? [])]
  // A flow that the design lacks declares nothing.
  if (!declared.includes(error.code)) expect.soft(declared, `${name} gave '${error.message}' and declares`).toContain(error.code)
}

/** The same flows. An error that its flow does not declare fails the test that meets it, which sees it all the same. */
export function withDeclaredErrors<F extends Flows<never>>(flows: F, offered: OfferedFlows<F>): OfferedFlows<F> {
  const checked = async <R>(name: string, run: () => Promise<R>): Promise<R> => {
    try {
      return await run()
    } catch (error) {
      checkDeclared(flows, name, error)
      throw error
    }
  }
  const of: OfferedFlows<F>['of'] = (...caller) => {
    const bound: Readonly<Record<string, (input: never) => Promise<unknown>>> = offered.of(...caller)
    const all = Object.entries(bound).map(([name, run]) => [name, (input: never) => checked(name, () => run(input))])
    // The same functions, each within a check of its errors.
    return Object.fromEntries(all) as unknown as ReturnType<typeof offered.of>
  }
  return { ...offered, of, run: (table, name, ...call) => checked(name, () => offered.run(table, name, ...call)) }
}
