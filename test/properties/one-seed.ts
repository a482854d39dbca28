import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** See `seedOfRun`. */
    readonly propertySeed: number
  }
}

fc.configureGlobal({ seed: inject('propertySeed') })
