import { finding } from './finding.ts'
import type { Check } from './survey.ts'

/** Every item is read: by an access pattern, or to find dependants. Guards are not read, since they only refuse. */
export const reach: Check = ({ design, entities, patterns }) => {
  const reached = new Set(patterns.flatMap((pattern) => pattern.entities))
  for (const target of entities) {
    for (const { enumeration } of design.form.dependantsOf(target)) if (enumeration !== undefined) reached.add(enumeration.side)
  }
  return entities
    .filter((entity) => entity.form.part.kind !== 'guard' && !reached.has(entity))
    .map(({ name }) => finding('Unreached', name, `No access pattern returns ${name}. Name one that does, or leave ${name} out.`))
}
