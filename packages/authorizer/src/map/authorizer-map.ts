import type { Issuer } from '@freehold/frame/issuers'
import type { Segment } from './path-template.ts'
import type { TextTemplate } from './text-template.ts'

/** Where a request names its tenant. At least one does; where several do, they agree. */
export interface TenantSources {
  /** A variable of the path, or an argument of the field. */
  readonly path?: string
  readonly header?: string
  readonly claim?: string
  /** The text before and after the tenant in the name of the host. */
  readonly host?: readonly [before: string, after: string]
}

/** A value whose texts are templates. */
export type TemplateValue =
  | TextTemplate
  | number
  | boolean
  | readonly TemplateValue[]
  | { readonly object: ReadonlyMap<string, TemplateValue> }

/** What is asked of the policies. */
export interface Mapped {
  readonly action: string
  readonly resource: { readonly type: string; readonly id: TextTemplate; readonly attributes: ReadonlyMap<string, TemplateValue> }
  readonly context: ReadonlyMap<string, TemplateValue>
}
export interface Route extends Mapped {
  readonly method: string
  readonly path: readonly Segment[]
  /** As it stands in the map: `POST /tickets/{ticket}/close`. */
  readonly name: string
}
export interface Field extends Mapped {
  /** `Mutation.closeTicket`. */
  readonly name: string
}

/** What an authorizer decides by, as it was read and checked. */
export interface AuthorizerMap {
  /** Whose tokens are valid. */
  readonly issuers: readonly Issuer[]
  readonly tenant: TenantSources
  /** A prefix that every path has and no template: the base path of a custom domain. */
  readonly basePath: string
  /** How long the gateway keeps an answer, in seconds, and what it keeps it by. */
  readonly cache: { readonly ttl_s: number; readonly identity: readonly string[] }
  readonly routes: readonly Route[]
  readonly fields: ReadonlyMap<string, Field>
}
