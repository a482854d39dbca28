import { casesPolicies, type DecisionCases, failuresOf } from '../../packages/designs/test/authorization-cases.ts'
import { localEngine } from '../../packages/frame/src/cedar/local-engine.ts'
import { endEngine, startEngine } from '../engine/endpoint.ts'

// A process of its own: asks the cases of decisions of the sources as they were bundled, and writes a line of JSON for each that fails.

const cases: DecisionCases = JSON.parse(process.argv[2] ?? '')
const engine = await localEngine(casesPolicies())
await startEngine()
for (const one of cases.cases) {
  const failures = await failuresOf(engine, one, cases).catch((error: unknown) => [String(error)])
  if (failures.length > 0) process.stdout.write(`${JSON.stringify(one.name)}\n`)
}
await endEngine()
process.exit(0)
