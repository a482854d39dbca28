import type { AnyDesign } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { KeyLimits } from './purpose.ts'

/** Checks the designs of a new key. Throws `InvalidInput` for one that is not among these, and for one without tenants where a tenant is named. */
export function checkKeyDesigns({ designs = [], tenant }: KeyLimits, known: ReadonlyMap<string, AnyDesign>): void {
  const issues = designs.flatMap((name) => {
    const design = known.get(name)
    if (design === undefined) return [{ path: ['designs'], message: `'${name}' is none of ${[...known.keys()].join(', ')}` }]
    return tenant !== undefined && design.form.tenantOf === undefined ? [{ path: ['tenant'], message: `${name} has no tenants` }] : []
  })
  if (issues.length > 0) throw invalidInput('The API key', issues)
}
