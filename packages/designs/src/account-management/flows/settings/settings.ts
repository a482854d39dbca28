import { count, creating, FreeholdError, isFreeholdError, record, removing, text, updating } from '@freehold/table'
import { invalidInput, parallelMap } from '@freehold/table/runtime'
import { changeItem } from '../../../flow/change-item.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { checkNamedVersion, liveItem, requireLive } from '../../../flow/live-item.ts'
import { newItem, returnedItem } from '../../../flow/new-item.ts'
import { permittedToo } from '../../../flow/permitted.ts'
import { changedView, isUnchanged } from '../../../flow/recorded-changes.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { anyJson, itemOf, nothing, valuesOf } from '../../../flow/returns.ts'
import { Setting } from '../../design.ts'
import { type AccountContext, type AccountScope, type AccountWithin, flow } from '../account-host.ts'
import * as needs from '../needs.ts'
import { ownOr } from '../needs.ts'
import { scopeNamed } from '../scope.ts'
import type { Overruling, SettingItem, SettingScope } from './effective-settings.ts'
import { readSettingValue, type SettingType, valueBytesMax } from './setting-value.ts'

const scoped = given(Setting, 'scope_type', 'scope_id')
const named = { ...scoped, ...given(Setting, 'key') }
const versioned = { ...named, version: count().optional() }
const described = ['value_type', 'description', 'is_overridable'] as const

function checkValue(flow: string, type: SettingType, text: string): void {
  const isTooLong = Buffer.byteLength(text) > valueBytesMax
  const problem = isTooLong ? `has more than ${valueBytesMax} bytes` : readSettingValue(type, text).problem
  if (problem !== undefined) throw invalidInput(flow, [{ path: ['value'], message: problem }], { flow })
}

/** The client of a scope; undefined for an internal user, who has none and so can have no settings of a client. */
function clientOf({ user }: AccountContext, scope: AccountWithin): string | undefined {
  if (scope === 'own') return user?.client_id
  return scope === 'system' ? undefined : scope.client_id
}

const scope = async (context: AccountContext, { scope_type, scope_id }: SettingScope): Promise<AccountWithin> =>
  scopeNamed(context, scope_type, scope_id)

/**
 * To lock a setting, to unlock it, to take a locked one away and to give it another value needs the permission for that, whichever flow does it and
 * whosever setting it is: all that is below it is held to it.
 */
async function permittedLock(
  context: AccountContext,
  at: AccountWithin,
  before: SettingItem | undefined,
  told: Partial<Told>,
): Promise<void> {
  const isLocked = before?.is_overridable === false
  const willBe = told.is_overridable === undefined ? isLocked : !told.is_overridable
  const { value = before?.value, value_type = before?.value_type } = told
  const comesToAnother = value !== before?.value || value_type !== before?.value_type
  if (isLocked !== willBe || (isLocked && comesToAnother)) await permittedToo(context, needs.lockSetting, at)
}

/** The scopes above one, root first; a user is below its client. */
function scopesAbove(context: AccountContext, at: AccountWithin, { scope_id }: SettingScope): readonly SettingScope[] {
  const { project_id, building_id }: Partial<AccountScope> = at === 'own' || at === 'system' ? {} : at
  const ids = { client: clientOf(context, at), project: project_id, building: building_id }
  return (['client', 'project', 'building'] as const).flatMap((type) => {
    const id = ids[type]
    return id === undefined || id === scope_id ? [] : [{ scope_type: type, scope_id: id }]
  })
}

/** The setting of this key above a scope that nothing below it may override: the nearest to the root. */
async function overruling(context: AccountContext, above: readonly SettingScope[], key: string): Promise<Overruling | undefined> {
  const found = await parallelMap(above, (each) => context.table.Setting.get({ ...each, key }, { consistent: true }))
  const locked = found.find((setting) => setting !== undefined && setting.deleting === undefined && !setting.is_overridable)
  if (locked === undefined) return undefined
  const { scope_type, scope_id, value_type, value: text } = locked
  const { value } = { value: undefined, ...readSettingValue(value_type, text) }
  return { scope_type, scope_id, ...(value === undefined ? {} : { value }) }
}

type Id = SettingScope & Pick<SettingItem, 'key'>

interface Told {
  readonly value: string
  readonly value_type?: SettingType | undefined
  readonly description?: string | null | undefined
  readonly is_overridable?: boolean | undefined
}

async function created(context: AccountContext, at: AccountWithin, id: Id, { description, ...told }: Told): Promise<SettingItem> {
  const after = newItem(context.table.runtime, Setting, {
    ...id,
    ...told,
    description: description ?? undefined,
    updated_by: context.user?.id,
  })
  const client_id = clientOf(context, at)
  const entry = { entity: Setting, id: String(after.id), tenant: client_id, after: { ...after, client_id } }
  try {
    return returnedItem(Setting, (await writeRecorded(context, { setting: creating(Setting, after) }, entry)).setting)
  } catch (error) {
    if (!isFreeholdError(error, 'AlreadyExists')) throw error
    throw new FreeholdError('CheckFailed', 'Another has created this setting meanwhile.', {}, { cause: error })
  }
}

async function changed(context: AccountContext, id: Id, before: SettingItem, told: Told): Promise<SettingItem> {
  const change = { ...told, updated_by: context.user?.id ?? null }
  if (isUnchanged(before, change)) return before
  const entry = { entity: Setting, id: before.id, tenant: before.client_id, before, after: changedView(before, change) }
  const steps = { setting: updating(Setting, id, change, { version: before.version }) }
  return returnedItem(Setting, (await writeRecorded(context, steps, entry)).setting)
}

/** A setting as it is now. `overruled_by`: what stands at its scope instead, as long as it is locked. */
export type SetSetting = SettingItem & { readonly overruled_by?: Overruling }

/** Changes the one that is there, or creates it; anew where another was faster with either. */
export const setSetting = flow({
  name: 'setSetting',
  summary:
    'Gives a setting of a client, project, building or user a value: text that stands for a value of its type. To give a locked one another takes the permission to lock, too. Beneath a locked one it is kept, and the answer says what overrules it.',
  input: { ...versioned, ...given(Setting, 'value'), ...changing(Setting, ...described) },
  needs: ownOr('scope', 'write', 'setting'),
  effect: 'write',
  returns: valuesOf<SetSetting>({
    ...Setting.attributes,
    Type: text(),
    version: count(),
    deleting: text().optional(),
    overruled_by: record({ ...scoped, value: anyJson }).optional(),
  }),
  scope,
  run: async (context, { version, value, scope_type, scope_id, key, ...more }, at) => {
    const id = { scope_type, scope_id, key }
    const told = { ...more, value }
    const setting = await retryOnConflict(context.table.runtime, async () => {
      const there = await context.table.Setting.get(id, { consistent: true })
      const isNamed = (version ?? undefined) !== undefined
      const found = there !== undefined || isNamed ? requireLive('Setting', key, there) : undefined
      if (found !== undefined) checkNamedVersion(Setting, found.version, version)
      checkValue('setSetting', more.value_type ?? found?.value_type ?? 'string', value)
      await permittedLock(context, at, found, told)
      return found === undefined ? created(context, at, id, told) : changed(context, id, found, told)
    })
    const overruled_by = await overruling(context, scopesAbove(context, at, id), key)
    return overruled_by === undefined ? setting : { ...setting, overruled_by }
  },
})

function overridable<const N extends string>(name: N, summary: string, is_overridable: boolean) {
  return flow({
    name,
    summary,
    input: versioned,
    needs: needs.lockSetting,
    effect: 'write',
    returns: itemOf(Setting),
    scope,
    run: async (context, { version, ...id }) =>
      changeItem(context, Setting, id, { is_overridable, updated_by: context.user?.id ?? null }, { version }),
  })
}

export const lockSetting = overridable('lockSetting', 'Makes a setting stand for all that is below it, whatever is set there.', false)
export const unlockSetting = overridable('unlockSetting', 'Lets what is below a setting have another value again.', true)

export const unsetSetting = flow({
  name: 'unsetSetting',
  summary: 'Takes a setting away: what is above it stands again. To take a locked one away takes the permission to lock, too.',
  input: versioned,
  needs: ownOr('scope', 'write', 'setting'),
  effect: 'write',
  returns: nothing,
  scope,
  run: async (context, { version, ...id }, at) =>
    retryOnConflict(context.table.runtime, async () => {
      const before = await liveItem(context, Setting, id)
      checkNamedVersion(Setting, before.version, version)
      await permittedLock(context, at, before, { is_overridable: true })
      const steps = { setting: removing(Setting, id, { version: before.version }) }
      await writeRecorded(context, steps, { entity: Setting, id: before.id, tenant: before.client_id, before })
    }),
})
