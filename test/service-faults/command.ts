import { designModules } from '@freehold/designs'
import { main } from '../../packages/cli/src/main.ts'

// The command of a program whose designs have no flows, so that entities are written as they are.
await main(process.argv, new Map([...designModules].map(([name, { flows: _, ...module }]) => [name, module])))
