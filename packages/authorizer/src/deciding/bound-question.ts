import type { CedarValue } from '@freehold/frame/cedar'
import { requestDenial } from '../denial.ts'
import type { Mapped, TemplateValue } from '../map/authorizer-map.ts'
import type { TextTemplate, Variable } from '../map/text-template.ts'
import type { TokenUser } from '../request/bearer-token.ts'
import type { AuthorizerRequest } from './authorizer-request.ts'

/** Where variables take their values from. */
export interface Binding {
  readonly request: AuthorizerRequest
  readonly token: TokenUser
  readonly tenant: string
  /** Of the path, or of the arguments. */
  asked(name: string): unknown
}

/** Policies need a few facts. More is an attack, or a slip. */
const bytes_max = 8_192

const malformed = (name: string, message: string) => requestDenial('VariableMalformed', `The variable ${name} ${message}.`)

/** The value at a path of names: `input.ticketId`. Only own properties of plain data count. */
export function valueAt(value: unknown, name: string): unknown {
  let at = value
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, part)) return undefined
    at = Reflect.get(at, part)
  }
  return at
}

function boundValue({ from, name }: Variable, { request, token, tenant, asked }: Binding): unknown {
  switch (from) {
    case 'tenant':
      return tenant
    case 'user':
      return token.user
    case 'claim':
      return Object.hasOwn(token.claims, name) ? token.claims[name] : valueAt(token.claims, name)
    case 'header': {
      const values = request.header(name)
      // Most gateways join the values of a header that stands several times.
      if (values.length > 1 || values[0]?.includes(',')) throw malformed(name, 'is a header with several values')
      return values[0]
    }
    case 'asked':
      return asked(name)
  }
}

/** A value that a sender chooses is never an object: `__entity` would make it another entity. */
function scalarOf(name: string, value: unknown): string | number | boolean {
  // GraphQL writes the id -0 as `-0`, and JavaScript as `0`.
  if (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0)) return value
  if (typeof value === 'string' || typeof value === 'boolean') return value
  throw malformed(name, 'is no text, whole number or flag')
}

function scalarsOf(variable: Variable, binding: Binding): CedarValue {
  const { name, from } = variable
  const value = boundValue(variable, binding)
  if (value === undefined || value === null || value === '') throw requestDenial('VariableUnbound', `The variable ${name} has no value.`)
  // The issuer writes lists into claims: groups, say.
  return from === 'claim' && Array.isArray(value) ? value.map((each) => scalarOf(name, each)) : scalarOf(name, value)
}

function textOf({ parts }: TextTemplate, binding: Binding): string {
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part
    const value = scalarsOf(part, binding)
    if (typeof value !== 'string' && typeof value !== 'number') throw malformed(part.name, 'is no text')
    return String(value)
  })
  return texts.join('')
}

/** A template that is one variable has its value, a number as a number. */
function bound(value: TemplateValue, binding: Binding): CedarValue {
  if (typeof value !== 'object') return value
  if ('object' in value) return boundValues(value.object, binding)
  if (!('parts' in value)) return value.map((each) => bound(each, binding))
  const [only, more] = value.parts
  return typeof only === 'object' && more === undefined ? scalarsOf(only, binding) : textOf(value, binding)
}

const boundValues = (values: ReadonlyMap<string, TemplateValue>, binding: Binding): Readonly<Record<string, CedarValue>> =>
  Object.fromEntries([...values].map(([name, value]) => [name, bound(value, binding)]))

/** A question of the authorization design. */
export interface BoundQuestion {
  readonly user: string
  readonly tenant: string
  readonly action: string
  readonly resource: { readonly type: string; readonly id: string; readonly attributes: Readonly<Record<string, CedarValue>> }
  readonly context: Readonly<Record<string, CedarValue>>
}

/** The question that a request asks, with all its variables bound. */
export function boundQuestion({ action, resource, context }: Mapped, binding: Binding): BoundQuestion {
  const question = {
    user: binding.token.user,
    tenant: binding.tenant,
    action,
    resource: { type: resource.type, id: textOf(resource.id, binding), attributes: boundValues(resource.attributes, binding) },
    context: boundValues(context, binding),
  }
  if (Buffer.byteLength(JSON.stringify(question)) > bytes_max)
    throw requestDenial('ContextTooLarge', `The question has more than ${bytes_max} bytes.`)
  return question
}
