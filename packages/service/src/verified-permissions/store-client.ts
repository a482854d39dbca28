import { setTimeout as after } from 'node:timers/promises'
import {
  BatchIsAuthorizedCommand,
  type BatchIsAuthorizedCommandInput,
  CreatePolicyCommand,
  type CreatePolicyCommandInput,
  CreatePolicyTemplateCommand,
  type CreatePolicyTemplateCommandInput,
  DeletePolicyCommand,
  DeletePolicyTemplateCommand,
  GetPolicyCommand,
  GetPolicyTemplateCommand,
  GetSchemaCommand,
  ListPoliciesCommand,
  ListPolicyTemplatesCommand,
  PutSchemaCommand,
  UpdatePolicyCommand,
  UpdatePolicyTemplateCommand,
  VerifiedPermissionsClient,
} from '@aws-sdk/client-verifiedpermissions'
import { FreeholdError } from '@freehold/table'
import { attemptsMax, backoffMs, silenceNodeVersionWarning } from '@freehold/table/runtime'

/** A policy store, and how it is asked. */
export interface StoreOptions {
  readonly policyStoreId: string
  /** By default the region of the environment. */
  readonly region?: string | undefined
  readonly endpoint?: string | undefined
  /** Milliseconds from a call within which an attempt may begin; 10,000 by default. */
  readonly patience_ms?: number | undefined
  /** Milliseconds for one attempt; 5,000 by default. */
  readonly attempt_ms?: number | undefined
  /** Waits between attempts. */
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined
  readonly monotonic_ms?: (() => number) | undefined
  /** From 0 up to but not including 1. */
  readonly random?: (() => number) | undefined
}

/** The properties of an error that are read. Errors of the AWS SDK and of Node have them. */
interface Raw {
  readonly name?: unknown
  readonly message?: unknown
  readonly $metadata?: { readonly httpStatusCode?: unknown }
}

const throttling: ReadonlySet<unknown> = new Set(['ThrottlingException', 'Throttling', 'TooManyRequestsException', 'RequestLimitExceeded'])
/** The names of errors after which the same request fails again. */
const refusals: ReadonlySet<unknown> = new Set(['ValidationException', 'ConflictException', 'ServiceQuotaExceededException'])

/** The client finds none in options and environment. */
const lacksRegion = ({ message }: Raw) => message === 'Region is missing'
const statusOf = ({ $metadata }: Raw) => (typeof $metadata?.httpStatusCode === 'number' ? $metadata.httpStatusCode : undefined)
const isThrottled = (error: Raw) => throttling.has(error.name) || statusOf(error) === 429
/** Every request may be sent again: reads, writes of a whole value, and creations with a token. */
const isPassing = (error: Raw) => {
  const status = statusOf(error)
  const isOurs = error.name === 'CredentialsProviderError' || lacksRegion(error)
  return isThrottled(error) || (!isOurs && (status === undefined || status >= 500))
}

const unavailable = (message: string, cause: unknown) => new FreeholdError('Unavailable', message, {}, { cause })

/** The error that a failed request means. The service's own words are those about the caller's input alone. */
export function errorOf(cause: unknown): FreeholdError {
  // Every property is checked before it is used.
  const error = (typeof cause === 'object' && cause !== null ? cause : {}) as Raw
  if (isThrottled(error)) return new FreeholdError('Busy', 'The policy store is busy. Try again.', {}, { cause })
  if (refusals.has(error.name)) {
    const issues = [{ path: [], message: String(error.message) }]
    return new FreeholdError('InvalidInput', `The policy store refused it: ${String(error.message)}`, { issues }, { cause })
  }
  if (error.name === 'ResourceNotFoundException')
    return new FreeholdError('NotFound', 'The policy store has nothing of this name.', {}, { cause })
  if (lacksRegion(error)) return unavailable('Verified Permissions is asked in no region: set AWS_REGION.', cause)
  const status = statusOf(error)
  if (error.name === 'CredentialsProviderError' || (status !== undefined && status >= 400 && status < 500))
    return unavailable('Verified Permissions refused our credentials. Check them and their permissions.', cause)
  return unavailable('Verified Permissions did not answer.', cause)
}

export type StoreClient = ReturnType<typeof storeClient>

/** The requests to one policy store. Each is sent again after throttling and lost answers. Throws `Busy`, `Unavailable`, `NotFound` and `InvalidInput`. */
export function storeClient({ policyStoreId, region, endpoint, ...how }: StoreOptions) {
  const { patience_ms = 10_000, attempt_ms = 5_000, sleep = after, monotonic_ms = () => performance.now(), random = Math.random } = how
  silenceNodeVersionWarning()
  const client = new VerifiedPermissionsClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: attempt_ms, requestTimeout: attempt_ms, throwOnRequestTimeout: true },
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
  })
  const sent = async <R>(send: (options: { readonly abortSignal: AbortSignal }) => Promise<R>): Promise<R> => {
    const end_ms = monotonic_ms() + patience_ms
    for (let attempt = 1; ; attempt++) {
      try {
        return await send({ abortSignal: AbortSignal.timeout(attempt_ms) })
      } catch (cause) {
        const wait_ms = backoffMs(attempt, random)
        const isOver = monotonic_ms() + wait_ms >= end_ms || attempt >= attemptsMax(patience_ms)
        if (isOver || !isPassing((typeof cause === 'object' && cause !== null ? cause : {}) as Raw)) throw errorOf(cause)
        await sleep(wait_ms)
      }
    }
  }
  const of = <I extends object>(input: I) => ({ ...input, policyStoreId })
  return {
    policyStoreId,
    isAuthorized: (input: Omit<BatchIsAuthorizedCommandInput, 'policyStoreId'>) =>
      sent((options) => client.send(new BatchIsAuthorizedCommand(of(input)), options)),
    schema: () => sent((options) => client.send(new GetSchemaCommand({ policyStoreId }), options)),
    putSchema: (cedarJson: string) => sent((options) => client.send(new PutSchemaCommand(of({ definition: { cedarJson } })), options)),
    policies: (nextToken?: string) => sent((options) => client.send(new ListPoliciesCommand(of({ maxResults: 50, nextToken })), options)),
    policy: (policyId: string) => sent((options) => client.send(new GetPolicyCommand(of({ policyId })), options)),
    createPolicy: (input: Omit<CreatePolicyCommandInput, 'policyStoreId'>) =>
      sent((options) => client.send(new CreatePolicyCommand(of(input)), options)),
    updatePolicy: (policyId: string, statement: string) =>
      sent((options) => client.send(new UpdatePolicyCommand(of({ policyId, definition: { static: { statement } } })), options)),
    deletePolicy: (policyId: string) => sent((options) => client.send(new DeletePolicyCommand(of({ policyId })), options)),
    templates: (nextToken?: string) =>
      sent((options) => client.send(new ListPolicyTemplatesCommand(of({ maxResults: 50, nextToken })), options)),
    template: (policyTemplateId: string) => sent((options) => client.send(new GetPolicyTemplateCommand(of({ policyTemplateId })), options)),
    createTemplate: (input: Omit<CreatePolicyTemplateCommandInput, 'policyStoreId'>) =>
      sent((options) => client.send(new CreatePolicyTemplateCommand(of(input)), options)),
    updateTemplate: (policyTemplateId: string, statement: string) =>
      sent((options) => client.send(new UpdatePolicyTemplateCommand(of({ policyTemplateId, statement })), options)),
    deleteTemplate: (policyTemplateId: string) =>
      sent((options) => client.send(new DeletePolicyTemplateCommand(of({ policyTemplateId })), options)),
    close: () => client.destroy(),
  }
}
