import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { authorizationModuleWith } from '@freehold/designs/authorization'
import type { DesignModule } from '@freehold/frame'
import { localEngine } from '@freehold/frame/cedar'
import type { Decider } from '@freehold/frame/decision'
import { type FlowDeclaration, operator } from '@freehold/frame/flow'
import type { AnyDesign, CompiledPattern, ConnectedTable, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { anyItem } from '../../packages/designs/test/any-item.ts'
import { recordedMails } from '../../packages/designs/test/recorded-mails.ts'
import { createService, type KeyLimits, openKeys, type Service } from '../../packages/service/src/index.ts'
import type { ApiDocument } from '../../packages/service/test/documented.ts'
import { issuer, tokenOf } from '../callers/tokens.ts'
import { shopsModule } from '../docs/shops.ts'
import { engineSender } from '../engine/endpoint.ts'
import { ownTableOf } from '../engine/own-table.ts'
import type { Values } from '../faces/face.ts'

const schema = `entity Tenant; entity Role; entity GlobalRole; entity User in [Role, GlobalRole] = { email: String }; entity Ticket in [Tenant];
action read, write appliesTo { principal: User, resource: Ticket, context: { tenant: Tenant } };`
const policies = new Map([['all.cedar', '@id("all") permit (principal, action, resource);']])

/** A design that is served, and what its routes are made of. */
export interface Served {
  readonly name: string
  readonly module: DesignModule
  readonly table: ConnectedTable
  readonly decider: Decider | undefined
  readonly flows: ReadonlyMap<string, FlowDeclaration>
  readonly patterns: ReadonlyMap<string, CompiledPattern>
}

/** An item that was made for a request, with the ids of all that it needs. */
export interface Made {
  readonly entity: Entity
  /** Its attributes, as they are given for a new one. */
  readonly input: Values
  /** The item, if it is in the table. */
  readonly item: Values | undefined
  /** The attributes of the items that it needs, by entity: the last of each. */
  readonly needs: ReadonlyMap<string, Values>
}

/** Nothing that is made is being renamed, suspended or over: flows refuse such items. */
function lively(entity: Entity | undefined, input: Values, draw: Draw): Values {
  const { renaming: _, invitation_expires_at, ...rest } = input
  const states = entity?.attributes.status?.kind.domain?.values ?? []
  const active = states.includes('active') && draw() < (states.includes('trial') ? 0.4 : 0.9) ? { status: 'active' } : {}
  const invited = invitation_expires_at === undefined || draw() < 0.5 ? {} : { invitation_expires_at }
  const begun = rest.startDate === undefined ? {} : { startDate: '2020-01-01' }
  const setting = rest.value_type === undefined ? {} : { value: '"dark"', value_type: 'json' }
  return { ...rest, ...active, ...invited, ...begun, ...setting }
}

/** All finished designs and one of a program's own, each served from a new table. */
export interface World {
  readonly app: Service
  readonly key: string
  /** Texts of other callers, by what they may do. */
  readonly others: Readonly<Record<'decisions' | 'read' | 'flows' | 'tenant' | 'limited' | 'revoked' | 'user' | 'forged', string>>
  readonly document: ApiDocument
  readonly served: ReadonlyMap<string, Served>
  /** Makes all that an item needs, and the item itself if `isWhole`. */
  make(design: string, entity: string, isWhole: boolean, draw: Draw): Promise<Made>
  /** Runs a flow as an operator. */
  flow(design: string, name: string, input: Values): Promise<Values>
  /** Makes an API key, and gives its id. */
  newKeyId(): Promise<string>
  /** Begins a session of the console by a new key. */
  newSession(): Promise<{ readonly keyId: string; readonly sessionId: string }>
  /** Saves a question of rebac, and gives its id. */
  newSavedQuestion(): Promise<string>
  /** The next mail is refused. */
  refuseNextMail(): void
}

/** Numbers from 0 up to 1. */
export type Draw = () => number

export async function openWorld(): Promise<World> {
  const authorization = authorizationModuleWith({ policies: await localEngine({ schema, policies }) })
  const modules = [...designModules.values()].map((module) => (module.design.name === 'authorization' ? authorization : module))
  const sender = engineSender()
  const mails = recordedMails()
  const keys = await openKeys({ sender, table: `keys-${randomUUID()}` })
  const served = new Map<string, Served>()
  for (const each of [...modules, shopsModule] as readonly DesignModule[]) {
    const module = each.flows === undefined ? each : { ...each, flows: each.flows.mailedBy(mails) }
    const { name } = module.design
    const handlers = module.flows?.jobHandlers ?? {}
    const table: ConnectedTable = await ownTableOf(module.design as AnyDesign, { sender, jobHandlers: handlers })
    const flows = new Map((module.flows?.declared(module.design) ?? []).map((flow) => [flow.name, flow]))
    served.set(name, { name, module, table, decider: module.decider?.(table.runtime), flows, patterns: module.design.form.patterns })
  }
  const { text: key } = await keys.newKey('requests')
  const textOf = async (limits: KeyLimits) => (await keys.newKey('other', limits)).text
  const revoked = await keys.newKey('revoked')
  await keys.revoke(revoked.keyId)
  const user = await tokenOf('01ARZ3NDEKTSV4RRFFQ69G5FAV')
  const others = {
    decisions: await textOf({ purpose: 'decisions' }),
    read: await textOf({ purpose: 'read' }),
    flows: await textOf({ purpose: 'flows' }),
    tenant: await textOf({ purpose: 'tenant', designs: ['platform'], tenant: 'acme' }),
    limited: await textOf({ purpose: 'operator', designs: ['rebac', 'platform'] }),
    revoked: revoked.text,
    user,
    // Of another header, which the signature does not fit.
    forged: `${Buffer.from('{"alg":"ES256","kid":"one","typ":"at+jwt"}').toString('base64url')}${user.slice(user.indexOf('.'))}`,
  }
  const tables = new Map([...served].map(([name, { module, table, decider }]) => [name, { module, table, ...(decider && { decider }) }]))
  const app = createService({
    ...{ tables, keys, log: () => undefined, outbox: { list: async () => [] }, publicUrl: 'https://freehold.example' },
    issuers: [{ ...issuer, user: { claim: 'sub' } }],
  })
  const answer = await app.request('/openapi.json', { headers: { Authorization: `Bearer ${key}` } })
  let seed = 1
  const make: World['make'] = async (of, entityName, isWhole, draw) => {
    const { table, module } = servedNamed(served, of)
    const { needs, input: whole } = anyItem(module.design, entityName, seed++)
    const made = new Map<string, Values>()
    const { entities } = module.design.form
    for (const need of needs)
      made.set(need.entity, await table.repositoryNamed(need.entity).create(lively(entities.get(need.entity), need.input, draw)))
    const entity = entities.get(entityName)
    if (entity === undefined) throw new Error(`There is no ${entityName} in ${of}.`)
    const input = lively(entity, whole, draw)
    const { part } = entity.form
    if (part.kind === 'guard' || part.kind === 'mirror') {
      const owner = made.get(part.owner.name) ?? {}
      const id = Object.fromEntries(keyPlaceholders(entity).flatMap((name) => (owner[name] === undefined ? [] : [[name, owner[name]]])))
      return { entity, input, item: await table.repositoryNamed(entityName).get(id), needs: made }
    }
    return { entity, input, item: isWhole ? await table.repositoryNamed(entityName).create(input) : undefined, needs: made }
  }
  const flow: World['flow'] = async (design, name, input) => {
    const { module, table } = servedNamed(served, design)
    // The flows that recipes call give objects.
    return (await module.flows?.run(table, name, input, { actor: operator })) as Values
  }
  const refuseNextMail = () => {
    mails.next = 'refused'
  }
  const newKeyId = async () => (await keys.newKey('spare')).keyId
  const newSession: World['newSession'] = async () => {
    const { keyId, text } = await keys.newKey('console')
    const verified = await keys.identify(text)
    if (verified === undefined) throw new Error('A new key is not accepted.')
    await keys.sessions.open(verified)
    const [{ sessionId } = { sessionId: '' }] = await keys.sessions.list(keyId)
    return { keyId, sessionId }
  }
  // The test of the document holds it to OpenAPI.
  return {
    app,
    key,
    others,
    document: (await answer.json()) as ApiDocument,
    served,
    make,
    flow,
    newKeyId,
    newSession,
    newSavedQuestion: async () =>
      (await keys.saved.save('rebac', { name: 'one', ask: 'can', question: {}, expect: true }, 'a test')).questionId,
    refuseNextMail,
  }
}

export function servedNamed(served: World['served'], name: string): Served {
  const found = served.get(name)
  if (found === undefined) throw new Error(`${name} is not served.`)
  return found
}
