import type { FlowDeclaration } from '@freehold/frame/flow'
import type { Attribute, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { anyValue } from '../../packages/designs/test/any-value.ts'
import type { Values } from '../faces/face.ts'
import { parametersFor } from '../faces/wanted.ts'
import { hints, recipes } from './recipes.ts'
import type { Draw, Made, Served, World } from './world.ts'

/** A request, before it is sent. */
export interface Wanted {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: Values | undefined
}

export const pick = <T>(draw: Draw, all: readonly T[]): T => all[Math.floor(draw() * all.length)] as T

const texts = (values: Values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
const idOf = (entity: Entity, item: Values): Values =>
  Object.fromEntries(keyPlaceholders(entity).flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])))

/** The longest name of an entity that a flow's name holds. */
function entityIn({ module }: Served, { name }: FlowDeclaration): string | undefined {
  const names = Object.keys(module.design.entities).filter((each) => name.toLowerCase().includes(each.toLowerCase()))
  return names.sort((a, b) => b.length - a.length)[0]
}

/** The entity that a flow is about, and whether it makes one. */
function subjectOf(served: Served, flow: FlowDeclaration): { readonly entity: string | undefined; readonly creates: boolean } {
  const { writes, returns } = flow
  const creates = writes?.create !== undefined && writes.update === undefined && writes.remove === undefined
  const entity = writes?.create ?? writes?.update ?? writes?.remove ?? ('entity' in returns ? returns.entity : undefined)
  return { entity: entity?.name ?? entityIn(served, flow), creates }
}

/** The id of an item of the entity that a name is about: `userId`, `user_id`. */
function idFor(name: string, { entity, item, needs }: Made): unknown {
  const about = name.replace(/_?id$/i, '').replaceAll('_', '').toLowerCase()
  const all = new Map([...needs, ...(item === undefined ? [] : [[entity.name, item] as const])])
  for (const [of, values] of all) if (of.toLowerCase() === about) return values.id ?? values[name]
  return undefined
}

/** The input of a flow that should succeed, on items that are made for it. */
async function flowBody(world: World, served: Served, flow: FlowDeclaration, draw: Draw): Promise<Values> {
  const recipe = recipes[`${served.name}.${flow.name}`]
  if (recipe !== undefined) return recipe(world)
  const { entity, creates } = subjectOf(served, flow)
  const made = entity === undefined ? undefined : await world.make(served.name, entity, !creates, draw)
  const known: Values = { ...made?.input, ...made?.item }
  const names = made === undefined ? [] : keyPlaceholders(made.entity)
  const body: Record<string, unknown> = {}
  for (const [name, attribute] of Object.entries(flow.input)) {
    if (name === 'version' || name === 'cursor' || name === 'wait') continue
    const isNamed = attribute.presence === 'given' || names.includes(name)
    if (!isNamed && (creates ? draw() < 0.3 : draw() < 0.6)) continue
    const own = creates || isNamed ? known[name] : undefined
    const value = hints[name] ?? own ?? (made && idFor(name, made)) ?? (isId(name, attribute) ? undefined : anyInput(attribute, draw))
    if (value !== undefined && value !== null) body[name] = value
  }
  return body
}

const isId = (name: string, { kind }: Attribute) => ['uuid', 'ulid', 'opaque id'].includes(kind.name) && /id$/i.test(name)

function anyInput(attribute: Attribute, draw: Draw): unknown {
  try {
    return anyValue(attribute, `input ${draw()}`)
  } catch {
    return undefined
  }
}

/** The text of a question's field: of an item that is there, for the most part. */
async function questionBody(
  world: World,
  { name, module }: Served,
  fields: Readonly<Record<string, Attribute>>,
  draw: Draw,
): Promise<Values> {
  const made = await world.make(name, pick(draw, Object.keys(module.design.entities)), draw() < 0.5, draw)
  const all: Values = Object.assign({}, ...made.needs.values(), made.input, made.item)
  const named = (field: string) => {
    for (const [of, values] of [...made.needs, [made.entity.name, { ...made.input, ...made.item }] as const])
      if (of.toLowerCase() === field.replace(/_?id$/, '')) return values.id ?? values[`${field}Id`] ?? values[`${field}Name`]
    return all[field] ?? all[`${field}Id`] ?? all[`${field}_id`] ?? all[`${field}Name`] ?? all[`${field}Key`]
  }
  const special: Values = {
    permission: { module: String(all.module ?? 'a'), action: String(all.action ?? 'b'), resource: String(all.resource ?? 'c') },
    resource: { type: 'Ticket', id: 't1' },
    // The schema has neither: the context does not fit, and properties are ignored.
    context: { colour: 'red' },
    properties: { user: { colour: 'red' }, context: { channel: 'web' } },
    action: name === 'authorization' ? 'read' : pick(draw, ['view', 'create', 'edit', 'delete']),
    client: all.client_id ?? all.id ?? '0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11',
  }
  const isGiven = (field: string) => {
    if (fields[field]?.presence === 'given') return true
    return draw() < ({ client: 0.95, context: 0.3, properties: 0.3 }[field] ?? 0)
  }
  return Object.fromEntries(
    Object.keys(fields)
      .filter(isGiven)
      .map((field) => [field, special[field] ?? String(named(field) ?? '01ARZ3NDEKTSV4RRFFQ69G5FAV')]),
  )
}

async function patternValues(world: World, served: Served, pattern: string, draw: Draw): Promise<Values> {
  const compiled = served.patterns.get(pattern)
  if (compiled === undefined) throw new Error(`There is no pattern ${pattern}.`)
  const entity = pick(draw, compiled.entities)
  const made = await world.make(served.name, entity.name, true, draw)
  const [values] = [...parametersFor(compiled, entity, made.item ?? {})]
  if (values !== undefined) return values
  const named = ({ name }: { readonly name: string }) => made.item?.[name] ?? idFor(name, made) ?? hints[name]
  return Object.fromEntries(compiled.parameters.map((each) => [each.name, named(each)]).filter(([, value]) => value !== undefined))
}

const someId = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
/** An action and a resource in the words of AuthZEN, by design. */
const authzen: Readonly<Record<string, { readonly action: string; readonly type: string; readonly id: string }>> = {
  'account-management': { action: 'doors:open:gate', type: 'client', id: '0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11' },
  platform: { action: 'dashboard:edit', type: 'account', id: 'acme' },
  rebac: { action: 'dashboard', type: 'location', id: someId },
}

/** A request of AuthZEN about a user. A search leaves out what it searches. */
function authzenBody(path: string, draw: Draw): Values {
  const [, design = ''] = path.split('/').slice(1)
  const { action, type, id } = authzen[design] ?? { action: 'read', type: 'Ticket', id: 't1' }
  const subject = { type: 'user', id: pick(draw, ['ada@example.org', someId]) }
  const asked = { subject, action: { name: action }, resource: { type, id } }
  if (path.endsWith('/evaluations')) return pick(draw, [asked, { ...asked, evaluations: [{}, { subject }] }])
  if (path.endsWith('/subject')) return { ...asked, subject: { type: 'user' } }
  if (path.endsWith('/resource')) return { ...asked, resource: { type } }
  return path.endsWith('/action') ? { subject, resource: asked.resource } : asked
}

/** A request that manages API keys, or sessions of the console by them. */
async function keyRequest(world: World, method: string, kind: string): Promise<Partial<Wanted>> {
  if (kind === 'links') return {}
  if (kind === 'sessions') {
    const { keyId, sessionId } = await world.newSession()
    return { query: method === 'delete' ? { keyId, sessionId } : { keyId } }
  }
  if (kind === 'rotate') return { body: { keyId: await world.newKeyId(), overlap_s: 60 } }
  if (method === 'delete') return { query: { keyId: await world.newKeyId() } }
  return method === 'post' ? { body: { name: 'gate', purpose: 'decisions', designs: ['rebac'] } } : {}
}

/** A request of saved questions. */
async function savedRequest(world: World, method: string): Promise<Partial<Wanted>> {
  const design = { design: 'rebac' }
  const body = { name: 'Ada sees it', ask: 'can', question: { user: 'ada@example.org' }, expect: 'NoGrant' }
  if (method === 'get') return { query: design }
  if (method === 'post') return { query: design, body }
  const query = { ...design, questionId: await world.newSavedQuestion() }
  return method === 'patch' ? { query, body } : { query }
}

/** A request to an operation that should succeed, with all that it needs in the tables. */
export async function wellMeant(world: World, method: string, path: string, draw: Draw): Promise<Wanted> {
  const [, , design = '', kind = '', name = '', move] = path.split('/')
  if (path.startsWith('/authzen/')) return { method, path, query: {}, body: authzenBody(path, draw) }
  const served = world.served.get(design)
  const none = { method, path, query: {}, body: undefined }
  if (design === 'api-keys') return { ...none, ...(await keyRequest(world, method, kind)) }
  if (design === 'saved-questions') return { ...none, ...(await savedRequest(world, method)) }
  if (served === undefined) return none
  if (kind === 'flows') {
    const flow = served.flows.get(name)
    if (flow === undefined) throw new Error(`There is no flow ${name}.`)
    return { ...none, body: await flowBody(world, served, flow, draw) }
  }
  if (kind === 'patterns' || kind === 'query') {
    const values = await patternValues(world, served, name, draw)
    return method === 'get' ? { ...none, query: texts(values) } : { ...none, body: values }
  }
  if (kind === 'can' && name === 'many') {
    const question = await questionBody(world, served, served.decider?.declared?.can.fields ?? {}, draw)
    return { ...none, body: { questions: [question] } }
  }
  if (kind !== 'entities')
    return { ...none, body: await questionBody(world, served, served.decider?.declared?.[kind as 'can']?.fields ?? {}, draw) }
  const creates = method === 'post' && move === undefined
  const { entity, input, item = {} } = await world.make(design, name, !creates, draw)
  if (creates) return { ...none, body: input }
  const query = texts(idOf(entity, item))
  if (method === 'get' || method === 'delete') return { ...none, query }
  const names =
    move === undefined ? Object.keys(entity.attributes).filter((each) => !keyPlaceholders(entity).includes(each)) : keyPlaceholders(entity)
  const free = names.filter((each) => {
    const attribute = entity.attributes[each]
    return (
      attribute !== undefined &&
      attribute.presence !== 'copied' &&
      !attribute.madeOnWrite &&
      !attribute.madeOnce &&
      !entity.form.fixed.includes(each)
    )
  })
  const changed = free.length === 0 ? undefined : pick(draw, free)
  const attribute = changed === undefined ? undefined : entity.attributes[changed]
  return { ...none, query, body: changed === undefined || attribute === undefined ? {} : { [changed]: anyInput(attribute, draw) } }
}
