// The part of Cedar's face that is used, as it behaves. The package's own declaration takes only lists that can be written, and says that an annotation
// without a value is text: Cedar writes none of its input, and such an annotation is null.
declare module '@cedar-policy/cedar-wasm/nodejs' {
  interface DetailedError {
    readonly message: string
    readonly help: string | null
    /** Positions in bytes of UTF-8. */
    readonly sourceLocations?: readonly { readonly start: number }[]
  }
  interface Failure {
    readonly type: 'failure'
    readonly errors: readonly DetailedError[]
  }
  type Answer<T = unknown> = Failure | ({ readonly type: 'success' } & T)
  interface Policies {
    /** As text, or as JSON that was parsed. */
    readonly staticPolicies: Readonly<Record<string, string | object>>
    readonly templates?: Readonly<Record<string, string | object>>
    readonly templateLinks?: readonly {
      readonly newId: string
      readonly templateId: string
      readonly values: Readonly<Record<string, Uid>>
    }[]
  }
  /** A record with its attributes, or the name of a common type. */
  interface Type {
    readonly type: string
    readonly attributes?: Readonly<Record<string, unknown>>
  }
  interface Action {
    readonly appliesTo?: { readonly principalTypes: readonly string[]; readonly resourceTypes: readonly string[]; readonly context?: Type }
  }
  interface Uid {
    readonly type: string
    readonly id: string
  }

  export function policySetTextToParts(
    text: string,
  ): Answer<{ readonly policies: readonly string[]; readonly policy_templates: readonly string[] }>
  interface PolicyAsJson {
    readonly effect: 'permit' | 'forbid'
    readonly principal: unknown
    readonly resource: unknown
    readonly annotations?: Readonly<Record<string, string | null>>
  }
  export function policyToJson(policy: string): Answer<{ readonly json: PolicyAsJson }>
  export function templateToJson(template: string): Answer<{ readonly json: PolicyAsJson }>
  export function formatPolicies(call: { readonly policyText: string }): Answer<{ readonly formatted_policy: string }>
  export function schemaToJsonWithResolvedTypes(schema: string): Answer<{
    /** By namespace: '' has what is in none. */
    readonly json: Readonly<
      Record<
        string,
        {
          readonly actions: Readonly<Record<string, Action>>
          readonly entityTypes: Readonly<Record<string, { readonly shape?: Type }>>
          readonly commonTypes?: Readonly<Record<string, Type>>
        }
      >
    >
  }>
  export function schemaToJson(schema: string): Answer<{ readonly json: object }>
  /** Takes JSON as it was parsed. */
  export function schemaToText(schema: object): Answer<{ readonly text: string }>
  export function checkParseSchema(schema: string): Answer
  export function validate(call: { readonly schema: string; readonly policies: Policies }): Answer<{
    readonly validationErrors: readonly { readonly policyId: string; readonly error: DetailedError }[]
  }>
  export function preparseSchema(name: string, schema: string | object): Answer
  export function getCedarVersion(): string
  export function preparsePolicySet(name: string, policies: Policies): Answer
  /** Throws for values that JSON has not. */
  export function statefulIsAuthorized(call: {
    readonly principal: Uid
    readonly action: Uid
    readonly resource: Uid
    readonly context: Readonly<Record<string, unknown>>
    readonly entities: readonly { readonly uid: Uid; readonly attrs: Readonly<Record<string, unknown>>; readonly parents: readonly Uid[] }[]
    readonly validateRequest: boolean
    readonly preparsedSchemaName: string
    readonly preparsedPolicySetId: string
  }): Answer<{
    readonly response: {
      readonly decision: 'allow' | 'deny'
      readonly diagnostics: {
        readonly reason: readonly string[]
        readonly errors: readonly { readonly policyId: string; readonly error: DetailedError }[]
      }
    }
  }>
}
