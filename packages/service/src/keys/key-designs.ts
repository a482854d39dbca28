import type { DesignModule } from '@freehold/frame'
import { invalidInput } from '@freehold/table/runtime'
import type { KeyLimits } from './purpose.ts'

/**
 * Checks the designs of a new key. Throws `InvalidInput` for one that is not among these, for one without tenants where a tenant is named, and for a flow
 * that its design does not have.
 */
export function checkKeyDesigns({ designs = [], tenant, flows = [] }: KeyLimits, known: ReadonlyMap<string, DesignModule>): void {
  const issues = designs.flatMap((name) => {
    const found = known.get(name)
    if (found === undefined) return [{ path: ['designs'], message: `'${name}' is none of ${[...known.keys()].join(', ')}` }]
    const { design } = found
    const offered = new Set(flows.length === 0 ? [] : found.flows?.declared(design).map((flow) => flow.name))
    return [
      ...(tenant !== undefined && design.form.tenantOf === undefined ? [{ path: ['tenant'], message: `${name} has no tenants` }] : []),
      ...flows.flatMap((flow) => (offered.has(flow) ? [] : [{ path: ['flows'], message: `'${flow}' is no flow of ${name}` }])),
    ]
  })
  if (issues.length > 0) throw invalidInput('The API key', issues)
}
