import { apiNameOf, type DesignModule, wordsOf } from '@freehold/frame'
import type { JsonSchema } from '@freehold/table/publish'
import type { Components } from './operation.ts'
import { pascal } from './pascal.ts'
import { propertyWords, withWords } from './property-words.ts'

/** How the operations and schemas of one design are named in the document, so that they read as calls and types in any language. */
export interface ApiNames {
  /** The name by which the design is served. */
  readonly design: string
  /** What the names of its schemas begin with. */
  readonly prefix: string
  /** The part of the document that operations of this kind stand in. */
  tag(kind: string): string
  /** `rebac.can` of `can`, `rebac.createRole` of `create` and `Role`. */
  operation(verb: string, ...of: readonly string[]): string
  /**
   * A component of the design: `RebacCan` of `Can`.
   * @param kind what it is, so that two things of one name have two components
   * @param of the entity that it is about
   */
  schema(components: Components, kind: string, name: string, make: () => JsonSchema, of?: string): JsonSchema
  /** The sentence of a parameter that is no property of a component. */
  words(of: string | undefined, property: string, description: string): string
}

export function apiNames(design: string, module: DesignModule): ApiNames {
  const whole = pascal(design)
  const words = wordsOf(module)
  const { operations, schemas } = apiNameOf(module) ?? { operations: whole.charAt(0).toLowerCase() + whole.slice(1), schemas: whole }
  return {
    ...{ design, prefix: schemas },
    tag: (kind) => `${operations}: ${kind}`,
    operation: (verb, ...of) => `${operations}.${verb}${of.map(pascal).join('')}`,
    schema: (components, kind, name, make, of) =>
      components.named(`${schemas}${pascal(name)}`, () => withWords(words, make(), name, of), `${design} ${kind}`),
    words: (of, property, description) => propertyWords(words, of === undefined ? [] : [of], property, description),
  }
}
