import { designModules } from '@freehold/designs'
import type { AnyDesign, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyItem } from '../../packages/designs/test/any-item.ts'
import { command } from './command.ts'
import type { Face, Values } from './face.ts'
import { http } from './http.ts'
import { library } from './library.ts'
import { changeOf, moveOf, parametersFor, queriesOf } from './wanted.ts'

// Creating, reading, changing, querying and removing an item of every entity of every design, in the same way through each face.

/** The entities of the source documents. */
const documented: Readonly<Record<string, readonly string[]>> = {
  'account-management': words(`Client Project Building User Role Permission UserRoleAssignment ServiceSubscription Setting Device Zone
    AuditLog AuthToken LoginSession RolePermissionLink`),
  authorization: words('Tenant User UserEmail UserPhone UserPreferredUsername Role TenantGrant Policy'),
  platform: words(`Account AccountAddress TechnicalUser Enterprise EnterpriseProduct EnterpriseService License Workstream WorkstreamTool
    User UserWorkstream Role RolePermission Group Product Service NotificationAudit`),
  rebac: words(`EmailIdentity User Location LocationCodeLookup UserGroup Role Page UserLocationEdge LocationUserEdge UserGroupEdge
    GroupUserEdge GroupRole RolePagePermission`),
}

function words(text: string): readonly string[] {
  return text.split(/\s+/)
}

const designs = [...designModules.values()].map(({ design }) => design)
const faces = { library, command, http } as const

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))

const idOf = (entity: Entity, item: Values) => pick(item, keyPlaceholders(entity))

const isSecret = ({ attributes }: Entity, name: string) => attributes[name]?.isSecret === true

/** The given values, as far as a read shows them. */
function shown(entity: Entity, input: Values): Values {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !isSecret(entity, name)))
}

function isDerived({ form: { part } }: Entity): boolean {
  return part.kind === 'guard' || part.kind === 'mirror'
}

/** Guards and mirrors of an item, by their ids; one that would need an absent attribute is not there. */
function derivedOf({ form }: AnyDesign, entity: Entity, item: Values): readonly { readonly name: string; readonly id: Values }[] {
  const all = [...form.entities.values()].filter(({ form: { part } }) => 'owner' in part && part.owner === entity)
  return all
    .map((each) => ({ name: each.name, id: idOf(each, item), needs: keyPlaceholders(each) }))
    .filter(({ id, needs }) => needs.every((name) => id[name] !== undefined))
}

/** Whether some query returns the item, of those that may: with the item's own values. */
async function queried(face: Face, design: AnyDesign, entity: Entity, item: Values): Promise<readonly string[]> {
  const found: string[] = []
  for (const pattern of queriesOf(design, entity)) {
    for (const parameters of parametersFor(pattern, entity, item)) {
      const items = await face.query(pattern.name, parameters)
      const same = items.filter(({ Type, ...each }) => Type === entity.name && matches(idOf(entity, each), idOf(entity, item)))
      if (same.length === 0) continue
      expect([pattern.name, same]).toEqual([pattern.name, [item]])
      found.push(pattern.name)
      break
    }
  }
  return found
}

const matches = (one: Values, other: Values) => JSON.stringify(one) === JSON.stringify(other)

interface Made {
  readonly entity: Entity
  readonly input: Values
  readonly id: Values
}

/** The attributes that are left out of an item so that its key takes each of its forms: of a role of no client, the client. */
function formsOf(entity: Entity): readonly Values[] {
  const optional = keyPlaceholders(entity).filter((name) => entity.attributes[name]?.presence === 'optional')
  const isSpared = (name: string) => entity.key.every((template) => template.split('|').some((form) => !form.includes(`{${name}}`)))
  return [{}, ...optional.filter(isSpared).map((name) => ({ [name]: null }))]
}

/** Creates all that an item needs, and says what it is made of. */
async function prepare(create: Face['create'], design: AnyDesign, entity: Entity, seed: number, given: Values): Promise<Made> {
  const { needs, input, id } = anyItem(design, entity.name, seed, given)
  for (const need of needs) expect(await create(need.entity, need.input)).toMatchObject({ item: { Type: need.entity, version: 1 } })
  return { entity, input, id }
}

/** A guard or mirror is read as others are, and written with its owner only (spec rule 10). */
async function checkDerived(face: Face, design: AnyDesign, { entity, input, id }: Made): Promise<void> {
  const { item = {} } = await face.get(entity.name, id)
  expect(item).toMatchObject({ Type: entity.name, ...shown(entity, input) })
  expect((await queried(face, design, entity, item)).length > 0).toBe(queriesOf(design, entity).length > 0)
  const refused = { code: 'DerivedItem' }
  expect(await face.create(entity.name, input)).toEqual(refused)
  expect(await face.update(entity.name, id, { any: 1 })).toEqual(refused)
  expect(await face.move(entity.name, id, { any: 1 })).toEqual(refused)
  expect(await face.remove(entity.name, id)).toEqual(refused)
  expect(await face.get(entity.name, id)).toEqual({ item })
}

/** An item of an entity that flows alone write is read as others are, and each other write of it is refused (spec rule 24). */
async function checkGoverned(face: Face, design: AnyDesign, { entity, input, id }: Made): Promise<void> {
  const refused = { code: 'Denied' }
  expect(await face.create(entity.name, input)).toEqual(refused)
  if (!isDerived(entity)) expect(await face.seed(entity.name, input)).toMatchObject({ item: { Type: entity.name, version: 1 } })
  const { item = {} } = await face.get(entity.name, id)
  expect(item).toMatchObject({ Type: entity.name, version: 1, ...shown(entity, input) })
  expect((await queried(face, design, entity, item)).length > 0).toBe(queriesOf(design, entity).length > 0)
  const change = changeOf(design, entity, item) ?? { any: 1 }
  for (const verb of ['update', 'move'] as const) expect(await face[verb](entity.name, id, change)).toEqual(refused)
  expect(await face.remove(entity.name, id)).toEqual(refused)
  expect(await face.get(entity.name, id)).toEqual({ item })
}

/** Creates the item, and finds it by its key and by a query. */
async function checkCreated(face: Face, design: AnyDesign, { entity, input, id }: Made): Promise<Values> {
  const { item = {} } = await face.create(entity.name, input)
  expect(item).toMatchObject({ Type: entity.name, version: 1, ...shown(entity, input) })
  expect(Object.keys(item).filter((name) => isSecret(entity, name))).toEqual([])
  expect(await face.get(entity.name, id)).toEqual({ item })
  expect((await queried(face, design, entity, item)).length > 0).toBe(queriesOf(design, entity).length > 0)
  for (const { name, id: derivedId } of derivedOf(design, entity, item))
    expect(await face.get(name, derivedId)).toMatchObject({ item: { Type: name, ...derivedId } })
  expect(await face.create(entity.name, input)).toEqual({ code: 'AlreadyExists' })
  return item
}

/** Changes an attribute, then one of the key; gives the item as it is then. */
async function checkChanged(face: Face, design: AnyDesign, entity: Entity, created: Values): Promise<Values> {
  let item = created
  const change = changeOf(design, entity, item)
  if (change !== undefined) {
    const { item: updated = {} } = await face.update(entity.name, idOf(entity, item), change)
    expect(updated).toMatchObject({ ...change, version: 2 })
    expect(await face.get(entity.name, idOf(entity, item))).toEqual({ item: updated })
    expect((await queried(face, design, entity, updated)).length > 0).toBe(queriesOf(design, entity).length > 0)
    item = updated
  }
  const to = moveOf(design, entity, item)
  if (to === undefined) return item
  const before = idOf(entity, item)
  const { item: moved = {} } = await face.move(entity.name, before, to)
  expect(moved).toMatchObject({ ...before, ...to, version: Number(item.version) + 1 })
  expect(await face.get(entity.name, idOf(entity, moved))).toEqual({ item: moved })
  expect(await face.get(entity.name, before)).toEqual({ code: 'NotFound' })
  return moved
}

/** Removes the item, with its guards and mirrors; its key is free again. */
async function checkRemoved(face: Face, design: AnyDesign, { entity, input }: Made, item: Values): Promise<void> {
  const id = idOf(entity, item)
  const derived = derivedOf(design, entity, item)
  expect(await face.remove(entity.name, id)).toEqual({})
  expect(await face.get(entity.name, id)).toEqual({ code: 'NotFound' })
  expect(await queried(face, design, entity, item)).toEqual([])
  for (const { name, id: derivedId } of derived) expect(await face.get(name, derivedId)).toEqual({ code: 'NotFound' })
  const change = changeOf(design, entity, item)
  if (change !== undefined) expect(await face.update(entity.name, id, change)).toEqual({ code: 'NotFound' })
  expect(await face.remove(entity.name, id)).toEqual({ code: 'NotFound' })
  expect(await face.create(entity.name, input)).toMatchObject({ item: { version: 1 } })
}

describe.each(designs.map((design) => [design.name, design] as const))('of %s', (_design, design) => {
  describe.each(Object.entries(faces))('through the %s', (through, open) => {
    const entities = [...design.form.entities.values()]
    const exercised = new Set<string>()
    let face: Face
    beforeAll(async () => {
      face = await open(design)
    })
    afterAll(() => face.close())

    const cases = entities.flatMap((entity) => formsOf(entity).map((given) => [entity.name, given, entity] as const))

    test.each(cases.map((each, seed) => [...each, seed + 1] as const))('%s %j', async (name, given, entity, seed) => {
      const isGoverned = through !== 'library' && entity.name in (designModules.get(design.name)?.flows?.byFlows ?? {})
      const made = await prepare(isGoverned ? face.seed : face.create, design, entity, seed, given)
      if (isGoverned) await checkGoverned(face, design, made)
      else if (isDerived(entity)) await checkDerived(face, design, made)
      else {
        const item = await checkCreated(face, design, made)
        if (entity.form.appendOnly) {
          for (const verb of ['update', 'move'] as const)
            expect(await face[verb](name, made.id, changeOf(design, entity, item) ?? {})).toEqual({ code: 'Immutable' })
          expect(await face.remove(name, made.id)).toEqual({ code: 'Immutable' })
          expect(await face.get(name, made.id)).toEqual({ item })
        } else await checkRemoved(face, design, made, await checkChanged(face, design, entity, item))
      }
      exercised.add(name)
    })

    test('every entity was exercised', () => {
      expect([...exercised]).toEqual(Object.keys(design.entities))
      expect([...exercised]).toEqual(expect.arrayContaining([...(documented[design.name] ?? [])]))
    })
  })
})
