import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as cedar from '@cedar-policy/cedar-wasm/nodejs'

// Amazon Verified Permissions on loopback, written from AWS's API reference and its page of quotas, with one policy store. It knows nothing of this project.
// Decisions are Cedar's own.

interface Uid {
  readonly entityType: string
  readonly entityId: string
}
interface Definition {
  readonly static?: { readonly statement: string; readonly description?: string }
  readonly templateLinked?: { readonly policyTemplateId: string; readonly principal?: Uid; readonly resource?: Uid }
}
interface Policy {
  readonly policyId: string
  readonly definition: Definition
  readonly name?: string | undefined
  readonly createdDate: string
  readonly lastUpdatedDate?: string
}
interface Template {
  readonly policyTemplateId: string
  readonly statement: string
  readonly createdDate: string
  readonly lastUpdatedDate?: string
}
type Body = Readonly<Record<string, unknown>>

/** AWS's page of quotas. */
const quotas = {
  requests: 30,
  principals: 100,
  resources: 100,
  request_bytes: 1_048_576,
  policy_bytes: 10_000,
  schema_bytes: 200_000,
  templates: 40,
} as const
const parentsMax = 100

class Refusal extends Error {
  readonly code: string
  readonly status: number
  constructor(code: string, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

const invalid = (message: string) => new Refusal('ValidationException', message)
const missing = (message: string) => new Refusal('ResourceNotFoundException', message)
const conflict = (message: string) => new Refusal('ConflictException', message)
const uid = ({ entityType, entityId }: Uid) => ({ type: entityType, id: entityId })
/** The project declares only the part of Cedar's face that it uses. */
const { isAuthorized } = cedar as unknown as {
  isAuthorized(call: object):
    | { readonly type: 'failure' }
    | {
        readonly type: 'success'
        readonly response: {
          readonly decision: string
          readonly diagnostics: {
            readonly reason: readonly string[]
            readonly errors: readonly { readonly policyId: string; readonly error: { readonly message: string } }[]
          }
        }
      }
}
const bytes = (text: string) => Buffer.byteLength(text)

/** Throws the first error of an answer of Cedar. */
function succeeded<T extends { readonly type: string }>(answer: T): Extract<T, { readonly type: 'success' }> {
  if (answer.type === 'success') return answer as Extract<T, { readonly type: 'success' }>
  const { errors = [] } = answer as { readonly errors?: readonly { readonly message: string }[] }
  throw invalid(errors[0]?.message ?? 'The input is not valid.')
}

/** An answer in place of the store's own: an error by its code, a lost connection, or a body. */
export type Injected =
  | { readonly code: string; readonly status?: number; readonly message?: string }
  | 'lose-request'
  | 'lose-answer'
  | { readonly answer: (body: unknown) => unknown }

export interface PolicyStoreStub {
  readonly endpoint: string
  readonly policyStoreId: string
  /** The operations that came, with their bodies. */
  readonly asked: { readonly operation: string; readonly body: Body }[]
  /** Decides what happens to a request; undefined for nothing. */
  inject: (operation: string, body: Body) => Injected | undefined
  readonly policies: ReadonlyMap<string, Policy>
  readonly templates: ReadonlyMap<string, Template>
  schema(): string | undefined
  /** Puts a schema and static policies there, past the API. */
  put(schema: string, statements: readonly string[]): void
  close(): Promise<void>
}

export async function policyStoreStub(): Promise<PolicyStoreStub> {
  const policyStoreId = 'PSEXAMPLEabcdefg111111'
  const policies = new Map<string, Policy>()
  const templates = new Map<string, Template>()
  const tokens = new Map<string, { readonly request: string; readonly answer: Body }>()
  let schema: string | undefined
  let count = 0
  const newId = (kind: string) => `${kind}EXAMPLE${String(++count).padStart(12, '0')}`
  const now = () => new Date(1_790_000_000_000 + count * 1000).toISOString()

  const textOf = ({ definition }: Policy) =>
    definition.static?.statement ?? templates.get(definition.templateLinked?.policyTemplateId ?? '')?.statement ?? ''
  const headOf = (statement: string) => {
    const asPolicy = cedar.policyToJson(statement)
    const read = asPolicy.type === 'success' ? asPolicy : cedar.templateToJson(statement)
    return succeeded(read).json
  }
  const policySet = (all: readonly Policy[], parsed: readonly Template[]) => ({
    staticPolicies: Object.fromEntries(
      all.flatMap((policy) => (policy.definition.static === undefined ? [] : [[policy.policyId, textOf(policy)]])),
    ),
    templates: Object.fromEntries(parsed.map(({ policyTemplateId, statement }) => [policyTemplateId, statement])),
    templateLinks: all.flatMap(({ policyId, definition: { templateLinked: link } }) =>
      link === undefined
        ? []
        : [
            {
              ...{ newId: policyId, templateId: link.policyTemplateId },
              values: {
                ...(link.principal && { '?principal': uid(link.principal) }),
                ...(link.resource && { '?resource': uid(link.resource) }),
              },
            },
          ],
    ),
  })

  /** "If the policy doesn't pass validation, the operation fails and the policy isn't stored." */
  function validate(one: readonly Policy[], parsed: readonly Template[]): void {
    for (const statement of [...one.map(textOf), ...parsed.map((template) => template.statement)])
      if (bytes(statement) > quotas.policy_bytes) throw invalid('The policy is larger than 10,000 bytes.')
    if (schema === undefined) return
    const read = cedar.validate({ schema: JSON.parse(schema), policies: policySet(one, parsed) as never })
    const { validationErrors } = succeeded(read)
    const [first] = validationErrors
    if (first !== undefined) throw invalid(first.error.message)
  }

  /** "If you retry the operation with the same ClientToken, but with different parameters, the retry fails." */
  function once(operation: string, { clientToken, ...body }: Body, create: () => Body): Body {
    const request = JSON.stringify([operation, body])
    const known = typeof clientToken === 'string' ? tokens.get(clientToken) : undefined
    if (known !== undefined && known.request !== request) throw conflict('The client token was used for another request.')
    const answer = known?.answer ?? create()
    if (typeof clientToken === 'string') tokens.set(clientToken, { request, answer })
    return answer
  }

  function page<T>(all: readonly T[], { nextToken, maxResults = 10 }: Body): { readonly items: readonly T[]; readonly nextToken?: string } {
    if (Number(maxResults) < 1 || Number(maxResults) > 50) throw invalid('maxResults is from 1 to 50.')
    const from = nextToken === undefined ? 0 : Number(nextToken)
    const until = from + Number(maxResults)
    return { items: all.slice(from, until), ...(until < all.length ? { nextToken: String(until) } : {}) }
  }

  function checkName(name: unknown): void {
    if (name === undefined) return
    if (typeof name !== 'string' || !/^name\/[a-zA-Z0-9\-/_]{1,145}$/.test(name)) throw invalid('The name is not valid.')
    if ([...policies.values()].some((policy) => policy.name === name)) throw conflict('The name is that of another policy.')
  }

  function kept(id: unknown): Policy {
    const policy = policies.get(String(id))
    if (policy === undefined) throw missing('The policy does not exist.')
    return policy
  }
  function keptTemplate(id: unknown): Template {
    const template = templates.get(String(id))
    if (template === undefined) throw missing('The policy template does not exist.')
    return template
  }

  /** Another moment than that of any other change. */
  const changed = () => {
    count++
    return now()
  }
  const about = ({ policyId, definition, createdDate, lastUpdatedDate = createdDate }: Policy) => ({
    ...{ policyStoreId, policyId, createdDate, lastUpdatedDate },
    policyType: definition.static === undefined ? 'TEMPLATE_LINKED' : 'STATIC',
  })

  /** Of a static policy only actions and conditions change. */
  function checkHead(before: string, after: string): void {
    const [one, other] = [headOf(before), headOf(after)].map(({ effect, principal, resource }) =>
      JSON.stringify([effect, principal, resource]),
    )
    if (one !== other) throw invalid('The effect, the principal and the resource of a policy cannot be changed.')
  }

  function batchIsAuthorized(body: Body): Body {
    if (bytes(JSON.stringify(body)) > quotas.request_bytes) throw invalid('The authorization request is larger than 1 MB.')
    const requests = body.requests as readonly {
      readonly principal: Uid
      readonly action: { readonly actionType: string; readonly actionId: string }
      readonly resource: Uid
      readonly context?: { readonly cedarJson?: string }
    }[]
    if (!Array.isArray(requests) || requests.length < 1 || requests.length > quotas.requests)
      throw invalid('There are from 1 to 30 requests.')
    const different = (part: 'principal' | 'resource') => new Set(requests.map((request) => JSON.stringify(request[part]))).size
    if (different('principal') > 1 && different('resource') > 1)
      throw invalid('Either the principal or the resource is identical across all requests.')
    const entities: readonly { readonly uid: { readonly type: string; readonly id: string }; readonly parents?: readonly unknown[] }[] =
      JSON.parse((body.entities as { readonly cedarJson?: string } | undefined)?.cedarJson ?? '[]')
    for (const { principal, resource } of requests)
      for (const { entityType, entityId } of [principal, resource])
        if (entityId.length < 1 || entityId.length > 200 || entityType.length > 200) throw invalid('An id is from 1 to 200 characters.')
    const among = (part: 'principal' | 'resource') =>
      entities.filter(({ uid: { type } }) => requests.some((request) => request[part].entityType === type)).length
    if (among('principal') > quotas.principals || among('resource') > quotas.resources)
      throw invalid('There are at most 100 principals and 100 resources.')
    if (entities.some(({ parents = [] }) => parents.length > parentsMax)) throw invalid('There are at most 100 transitive parents.')
    const all = [...policies.values()]
    const set = policySet(all, [...templates.values()])
    const results = requests.map((request) => {
      const answer = succeeded(
        isAuthorized({
          principal: uid(request.principal),
          action: { type: request.action.actionType, id: request.action.actionId },
          resource: uid(request.resource),
          context: JSON.parse(request.context?.cedarJson ?? '{}'),
          entities: entities as never,
          policies: set as never,
          ...(schema === undefined ? {} : { schema: JSON.parse(schema), validateRequest: true }),
        }),
      )
      const { decision, diagnostics } = answer.response
      return {
        request,
        decision: decision.toUpperCase(),
        determiningPolicies: diagnostics.reason.map((policyId) => ({ policyId })),
        errors: diagnostics.errors.map(({ policyId, error }) => ({
          errorDescription: `while evaluating policy \`${policyId}\`: ${error.message}`,
        })),
      }
    })
    return { results }
  }

  const operations: Readonly<Record<string, (body: Body) => Body>> = {
    BatchIsAuthorized: batchIsAuthorized,
    GetSchema: () => {
      if (schema === undefined) throw missing('The policy store has no schema.')
      return { policyStoreId, schema, createdDate: now(), lastUpdatedDate: now() }
    },
    PutSchema: ({ definition }) => {
      const { cedarJson = '' } = definition as { readonly cedarJson?: string }
      if (bytes(cedarJson) > quotas.schema_bytes) throw invalid('The schema is larger than 200,000 bytes.')
      succeeded(cedar.checkParseSchema(JSON.parse(cedarJson)))
      schema = cedarJson
      return { policyStoreId, namespaces: Object.keys(JSON.parse(cedarJson)), createdDate: now(), lastUpdatedDate: now() }
    },
    ListPolicies: (body) => {
      const { items, nextToken } = page([...policies.values()], body)
      const listed = items.map((policy) => {
        const { static: own, templateLinked } = policy.definition
        const { name } = policy
        return {
          ...about(policy),
          ...(name === undefined ? {} : { name }),
          definition: own === undefined ? { templateLinked } : { static: {} },
        }
      })
      return { policies: listed, ...(nextToken === undefined ? {} : { nextToken }) }
    },
    GetPolicy: ({ policyId }) => ({ ...about(kept(policyId)), definition: kept(policyId).definition }),
    CreatePolicy: (body) =>
      once('CreatePolicy', body, () => {
        const definition = body.definition as Definition
        const policy: Policy = { policyId: newId('SP'), definition, name: body.name as string | undefined, createdDate: now() }
        checkName(body.name)
        if (definition.templateLinked !== undefined) {
          const template = keptTemplate(definition.templateLinked.policyTemplateId)
          validate([policy], [template])
          const same = [...policies.values()].some(
            (each) => JSON.stringify(each.definition.templateLinked) === JSON.stringify(definition.templateLinked),
          )
          if (same) throw conflict('There is such a template-linked policy already.')
        } else {
          headOf(definition.static?.statement ?? '')
          validate([policy], [])
        }
        policies.set(policy.policyId, policy)
        return about(policy)
      }),
    UpdatePolicy: ({ policyId, definition }) => {
      const before = kept(policyId)
      const { static: own } = definition as Definition
      if (own === undefined || before.definition.static === undefined) throw invalid('Only a static policy is updated.')
      checkHead(textOf(before), own.statement)
      const after = { ...before, definition: { static: own }, lastUpdatedDate: changed() }
      validate([after], [])
      policies.set(before.policyId, after)
      return about(after)
    },
    DeletePolicy: ({ policyId }) => {
      policies.delete(String(policyId))
      return {}
    },
    ListPolicyTemplates: (body) => {
      const { items, nextToken } = page([...templates.values()], body)
      const listed = items.map(({ policyTemplateId, createdDate, lastUpdatedDate = createdDate }) => ({
        policyStoreId,
        policyTemplateId,
        createdDate,
        lastUpdatedDate,
      }))
      return { policyTemplates: listed, ...(nextToken === undefined ? {} : { nextToken }) }
    },
    GetPolicyTemplate: ({ policyTemplateId }) => ({ policyStoreId, ...keptTemplate(policyTemplateId), lastUpdatedDate: now() }),
    CreatePolicyTemplate: (body) =>
      once('CreatePolicyTemplate', body, () => {
        if (templates.size >= quotas.templates) throw new Refusal('ServiceQuotaExceededException', 'There are at most 40 policy templates.')
        const template: Template = { policyTemplateId: newId('PT'), statement: String(body.statement), createdDate: now() }
        headOf(template.statement)
        validate([], [template])
        templates.set(template.policyTemplateId, template)
        return { policyStoreId, policyTemplateId: template.policyTemplateId, createdDate: now(), lastUpdatedDate: now() }
      }),
    UpdatePolicyTemplate: ({ policyTemplateId, statement }) => {
      const before = keptTemplate(policyTemplateId)
      checkHead(before.statement, String(statement))
      const after = { ...before, statement: String(statement), lastUpdatedDate: changed() }
      validate([], [after])
      templates.set(before.policyTemplateId, after)
      return { policyStoreId, policyTemplateId: before.policyTemplateId, createdDate: now(), lastUpdatedDate: now() }
    },
    DeletePolicyTemplate: ({ policyTemplateId }) => {
      templates.delete(keptTemplate(policyTemplateId).policyTemplateId)
      for (const [id, { definition }] of policies) if (definition.templateLinked?.policyTemplateId === policyTemplateId) policies.delete(id)
      return {}
    },
  }

  const asked: { operation: string; body: Body }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const operation = String(request.headers['x-amz-target']).replace('VerifiedPermissions.', '')
      const body: Body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
      asked.push({ operation, body })
      const answer = (status: number, value: unknown) => {
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
        response.end(JSON.stringify(value))
      }
      const refuse = (code: string, message: string, status: number) =>
        answer(status, { __type: `com.amazonaws.verifiedpermissions#${code}`, message })
      const injected = stub.inject(operation, body)
      if (injected === 'lose-request') return request.socket.destroy()
      if (typeof injected === 'object' && 'code' in injected) return refuse(injected.code, injected.message ?? '', injected.status ?? 400)
      try {
        if (body.policyStoreId !== policyStoreId) throw missing('The policy store does not exist.')
        const run = operations[operation]
        if (run === undefined) throw invalid(`There is no operation ${operation}.`)
        const result = run(body)
        if (injected === 'lose-answer') return request.socket.destroy()
        return answer(200, injected === undefined ? result : injected.answer(result))
      } catch (error) {
        if (error instanceof Refusal) return refuse(error.code, error.message, error.status)
        return refuse('ValidationException', String(error), 400)
      }
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  const stub: PolicyStoreStub = {
    ...{ endpoint: `http://127.0.0.1:${port}`, policyStoreId, asked, policies, templates },
    inject: () => undefined,
    schema: () => schema,
    put: (cedarJson, statements) => {
      schema = cedarJson
      for (const statement of statements) {
        const policyId = newId('SP')
        policies.set(policyId, { policyId, definition: { static: { statement } }, createdDate: now() })
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return stub
}
