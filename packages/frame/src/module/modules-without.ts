import { type FreeholdError, without } from '@freehold/table'
import type { DesignModule } from './design-module.ts'

/** The errors of words that mean nothing, as a program says them. */
export interface WithoutErrors {
  malformed(word: string): FreeholdError
  unknownDesign(name: string, known: readonly string[]): FreeholdError
  unknownFeature(name: string, design: string, known: readonly string[]): FreeholdError
}

const part = /^([^:,]+):([^:,]+(?:,[^:,]+)*)$/

/**
 * The modules without the features that are left out.
 * @param words `DESIGN:FEATURE,FEATURE` each
 */
export function modulesWithout(
  modules: ReadonlyMap<string, DesignModule>,
  words: readonly string[],
  errors: WithoutErrors,
): ReadonlyMap<string, DesignModule> {
  const left = new Map<string, readonly string[]>()
  for (const word of words) {
    const [, design = '', features = ''] = part.exec(word) ?? []
    if (design === '') throw errors.malformed(word)
    left.set(design, [...(left.get(design) ?? []), ...features.split(',')])
  }
  if (left.size === 0) return modules
  const unknown = [...left.keys()].find((name) => !modules.has(name))
  if (unknown !== undefined) throw errors.unknownDesign(unknown, [...modules.keys()])
  return new Map(
    [...modules].map(([name, module]) => {
      const features = left.get(name)
      if (features === undefined) return [name, module]
      const known = Object.keys(module.design.features)
      const stray = features.find((feature) => !known.includes(feature))
      if (stray !== undefined) throw errors.unknownFeature(stray, name, known)
      return [name, { ...module, design: without(module.design, ...features) }]
    }),
  )
}
