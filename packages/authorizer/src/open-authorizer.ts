import { authorization, authorizationModule, decideAuthorization } from '@freehold/designs/authorization'
import type { PolicyEngine } from '@freehold/frame/cedar'
import { type ConnectOptions, connect } from '@freehold/table'
import { type Authorizer, type AuthorizerOptions, createAuthorizer } from './deciding/authorizer.ts'

export interface OpenAuthorizerOptions
  extends Omit<AuthorizerOptions, 'decider' | 'policies' | 'identify'>,
    Pick<ConnectOptions, 'table' | 'dynamo' | 'engine' | 'sender' | 'patience_ms' | 'attempt_ms'> {
  /** Decide: `localEngine` reads a folder of them. */
  readonly policies: PolicyEngine
}

/** An authorizer over the table of the authorization design. Nothing is sent before the first request. Throws `InvalidInput` as `createAuthorizer` does. */
export function openAuthorizer({
  policies,
  table: name,
  dynamo,
  engine,
  sender,
  patience_ms,
  attempt_ms,
  ...options
}: OpenAuthorizerOptions): Authorizer & { close(): void } {
  const table = connect(authorization, {
    ...(name === undefined ? {} : { table: name }),
    ...(dynamo === undefined ? {} : { dynamo }),
    ...(engine === undefined ? {} : { engine }),
    ...(sender === undefined ? {} : { sender }),
    ...(patience_ms === undefined ? {} : { patience_ms }),
    ...(attempt_ms === undefined ? {} : { attempt_ms }),
  })
  try {
    return {
      ...createAuthorizer({
        ...{ ...options, policies, decider: decideAuthorization(policies)(table.runtime) },
        identify: ({ provider, subject }) => authorizationModule.flows.userIdentified(table, provider, subject),
      }),
      close: () => table.close(),
    }
  } catch (error) {
    table.close()
    throw error
  }
}
