import { apiNameOf, type DesignModule } from '@freehold/frame'
import type { JsonSchema } from '@freehold/table/publish'
import type { Components } from './operation.ts'

/** `account-management` as `AccountManagement`, and `assignRole` as `AssignRole`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** How the operations and schemas of one design are named in the document, so that they read as calls and types in any language. */
export interface ApiNames {
  /** The name by which the design is served. */
  readonly design: string
  /** The part of the document that operations of this kind stand in. */
  tag(kind: string): string
  /** `rebac.can` of `can`, `rebac.createRole` of `create` and `Role`. */
  operation(verb: string, ...of: readonly string[]): string
  /** A component of the design: `RebacCan` of `Can`. @param kind what it is, so that two things of one name have two components */
  schema(components: Components, kind: string, name: string, make: () => JsonSchema): JsonSchema
}

export function apiNames(design: string, module: DesignModule): ApiNames {
  const whole = pascal(design)
  const { operations, schemas } = apiNameOf(module) ?? { operations: whole.charAt(0).toLowerCase() + whole.slice(1), schemas: whole }
  return {
    design,
    tag: (kind) => `${operations}: ${kind}`,
    operation: (verb, ...of) => `${operations}.${verb}${of.map(pascal).join('')}`,
    schema: (components, kind, name, make) => components.named(`${schemas}${pascal(name)}`, make, `${design} ${kind}`),
  }
}
