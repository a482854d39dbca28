import { type AnyDesign, type Entity, isFreeholdError } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { designModules } from '../src/design-modules.ts'
import { anyItem, type Needed, type Values } from './any-item.ts'
import { expectAt, expectNothingAt, keysOf } from './index-places.ts'
import { ownTableOf } from './own-table.ts'
import { type AnyTable, changeable, createNeeds, idOf, type Variation, variation, vary } from './variation.ts'
import { wholeTable } from './whole-table.ts'

// Spec rule 4, over every design: whenever an attribute that an index key mentions changes, goes or comes back, the item moves in that
// index with the same write, and leaves no trace where it was.

type Reason = 'append-only' | 'fixed' | 'named by others'

/** By design: what cannot change, and why. Everything else that an index key mentions is changed below. */
const refused: Readonly<Record<string, Readonly<Partial<Record<Reason, readonly string[]>>>>> = {
  'account-management': {
    'named by others': ['Client.id', 'Project.id', 'Building.id', 'User.id', 'Role.client_id', 'Role.id', 'Zone.client_id', 'Zone.id'],
    'append-only': ['AuditLog.client_id', 'AuditLog.timestamp'],
    fixed: [
      'Project.client_id',
      'Building.client_id',
      ...['Client', 'Project', 'Building', 'User', 'Role'].map((name) => `${name}.created_at`),
    ],
  },
  platform: {
    'named by others': ['Account', 'Enterprise', 'License', 'Workstream', 'User', 'Role', 'Group', 'Product', 'Service'].map(
      (entity) => `${entity}.id`,
    ),
    fixed: ['User.accountId', 'Role.accountId', 'Group.accountId'],
    'append-only': ['id', 'accountId', 'sentAt', 'deliveryStatus'].map((attribute) => `NotificationAudit.${attribute}`),
  },
  authorization: { fixed: ['Role.roleId', 'TenantGrant.userId', 'TenantGrant.tenantId', 'TenantGrant.tenantGrantId'] },
}

/** Everything in the table but how often it was written. */
const withoutVersions = async (table: AnyTable) =>
  (await wholeTable(table)).map(({ version: _, ...item }) => item).sort((a, b) => (`${a.PK} ${a.SK}` < `${b.PK} ${b.SK}` ? -1 : 1))

function reasonOf(error: unknown): Reason {
  if (isFreeholdError(error, 'Immutable')) return 'append-only'
  if (isFreeholdError(error, 'InvalidInput') && error.message.includes(' never changes')) return 'fixed'
  if (isFreeholdError(error, 'InvalidInput') && error.message.includes(' cannot change, as ')) return 'named by others'
  throw error
}

/** A table of its own for a test, with the clock standing still, so that what is changed back and forth is as it was. */
const stillTableOf = (design: AnyDesign) => ownTableOf(design, { now: () => new Date('2026-01-01T00:00:00.000Z') })

/** The values of an item as they are read. */
async function valuesOf(table: AnyTable, entity: Entity, id: Values): Promise<Values> {
  const { Type: _, version: __, ...values } = (await table.repositoryNamed(entity.name).get(id, { consistent: true })) ?? {}
  return values
}

/** Changes an item back and forth, looking after each change; gives the reason where that is refused. */
async function backAndForth(
  table: AnyTable,
  entity: Entity,
  original: Values,
  steps: readonly Variation[],
  look: (values: Values, before: Values) => Promise<void>,
): Promise<Reason | undefined> {
  for (const { needs } of steps) await createNeeds(table, needs)
  const beginning = await withoutVersions(table)
  let current = original
  for (const step of steps) {
    try {
      await vary(table, entity, current, step)
    } catch (error) {
      expect(await withoutVersions(table)).toEqual(beginning)
      return reasonOf(error)
    }
    await look(step.values, current)
    current = step.values
  }
  expect(await withoutVersions(table)).toEqual(beginning)
  return undefined
}

/** Another value, none where it may be absent, and the first one again. */
function stepsOf(design: AnyDesign, entity: Entity, original: Values, attribute: string): Variation[] {
  const name = changeable(entity, attribute)
  const isOptional = entity.attributes[name]?.presence === 'optional'
  const back = { needs: [] as readonly Needed[], change: { [name]: original[name] }, values: original }
  return [
    variation(design, entity, original, attribute, 'another'),
    ...(isOptional ? [variation(design, entity, original, attribute, null)] : []),
    back,
  ]
}

const placeholdersOf = (templates: readonly string[]) =>
  [...templates.join().matchAll(/\{(\w+)\}/g)].map(([, placeholder = '']) => placeholder)

/** The attributes that an index key of an entity mentions. */
const mentioned = ({ indexes }: Entity) => [...new Set(placeholdersOf(Object.values(indexes).flat()))]

interface Original {
  readonly entity: Entity
  readonly attribute: string
}

/** The attribute from which an attribute is copied, the one from which that is, and so on. */
function originalsOf({ attributes, form }: Entity, attribute: string): readonly Original[] {
  const { source } = attributes[attribute] ?? {}
  return form.references
    .filter((reference) => reference.attribute === source?.through)
    .flatMap(({ to }) => {
      const { part } = to.form
      const entity = part.kind === 'guard' || part.kind === 'mirror' ? part.owner : to
      const named = typeof source?.attribute === 'object' ? source.attribute[to.name] : source?.attribute
      return [{ entity, attribute: named ?? attribute }, ...originalsOf(entity, named ?? attribute)]
    })
}

const designs = [...designModules].map(([name, { design }]) => [name, design] as const)

describe.each(designs)('%s: an attribute that index keys mention', (name, design) => {
  const reasons = Object.entries(refused[name] ?? {}).flatMap(([reason, labels]) =>
    labels.map((label): [string, string] => [label, reason]),
  )
  const reasonFor = new Map(reasons)
  const subjects = [...design.form.entities.values()].flatMap((entity) =>
    mentioned(entity).map((attribute) => {
      const label = `${entity.name}.${attribute}`
      return [label, reasonFor.has(label) ? `does not change: ${reasonFor.get(label)}` : 'moves the item', entity, attribute] as const
    }),
  )

  test.each(subjects)('%s %s', async (label, _outcome, entity, attribute) => {
    const table = await stillTableOf(design)
    const { needs, input, id } = anyItem(design, entity.name, 1)
    await createNeeds(table, [...needs, { entity: entity.name, input }])
    const original = await valuesOf(table, entity, id)
    const reason = await backAndForth(table, entity, original, stepsOf(design, entity, original, attribute), async (values, before) => {
      const [keys, old, items] = [keysOf(entity, values), keysOf(entity, before), await wholeTable(table)]
      expect(keys).not.toEqual(old)
      await expectAt(table, keys, items)
      if (keys.PK !== old.PK || keys.SK !== old.SK) await expectNothingAt(table, old, items)
    })
    expect([label, reason]).toEqual([label, reasonFor.get(label)])
  })

  const copied = subjects.flatMap(([label, , entity, attribute]) =>
    originalsOf(entity, attribute)
      .filter((original) => reasonFor.get(`${original.entity.name}.${original.attribute}`) !== 'fixed')
      .map((original) => [label, `${original.entity.name}.${original.attribute}`, entity, attribute, original] as const),
  )

  test.each(copied)('%s follows %s', async (_label, _from, entity, attribute, original) => {
    const table = await stillTableOf(design)
    const { needs, input, id } = anyItem(design, entity.name, 1)
    await createNeeds(table, [...needs, { entity: entity.name, input }])
    const copy = await valuesOf(table, entity, id)
    const source = needs.find((need) => need.entity === original.entity.name)
    const from = await valuesOf(table, original.entity, idOf(original.entity, source?.input ?? {}))
    const steps = stepsOf(design, original.entity, from, original.attribute)
    const reason = await backAndForth(table, original.entity, from, steps, async (values) => {
      const followed = keysOf(entity, { ...copy, [attribute]: values[original.attribute] })
      await expectAt(table, followed, await wholeTable(table))
    })
    expect(reason).toBeUndefined()
  })

  test('nothing is said to stay that no index key mentions', () => {
    const labels = subjects.map(([label]) => label)
    expect(reasons.filter(([label]) => !labels.includes(label))).toEqual([])
  })
})
