import { count, creating, FreeholdError, isFreeholdError, removing, updating } from '@freehold/table'
import { invalidInput, parallelMap } from '@freehold/table/runtime'
import { decideAnew } from '../../../flow/decide-anew.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../../flow/made-item.ts'
import { changedView, isUnchanged } from '../../../flow/recorded-changes.ts'
import { Setting } from '../../design.ts'
import type { AccountContext } from '../account-context.ts'
import { accountFlow, permittedToo } from '../account-flow.ts'
import { writeAudited } from '../audited.ts'
import { changeAudited, checkNamedVersion, standingItem } from '../change-audited.ts'
import { type Place, scopePlace, standing, type Where } from '../place.ts'
import type { Overruling, SettingItem, SettingScope } from './effective-settings.ts'
import { readSettingValue, type SettingType, valueBytesMax } from './setting-value.ts'

const scope = given(Setting, 'scope_type', 'scope_id')
const named = { ...scope, ...given(Setting, 'key') }
const versioned = { ...named, version: count().optional() }
const described = ['value_type', 'description', 'is_overridable'] as const

function checkValue(flow: string, type: SettingType, text: string): void {
  const isTooLong = Buffer.byteLength(text) > valueBytesMax
  const problem = isTooLong ? `has more than ${valueBytesMax} bytes` : readSettingValue(type, text).problem
  if (problem !== undefined) throw invalidInput(flow, [{ path: ['value'], message: problem }], { flow })
}

/** The client of a scope; undefined for an internal user, who has none and so can have no settings of a client. */
function clientOf({ user }: AccountContext, place: Where): string | undefined {
  if (place === 'own') return user?.client_id
  return place === 'system' ? undefined : place.client_id
}

const place = async (context: AccountContext, { scope_type, scope_id }: SettingScope): Promise<Where> =>
  scopePlace(context, scope_type, scope_id)

/**
 * To lock a setting, to unlock it, to take a locked one away and to give it another value needs the permission for that, whichever flow does it and
 * whosever setting it is: all that is below it is held to it.
 */
async function permittedLock(context: AccountContext, at: Where, before: SettingItem | undefined, told: Partial<Told>): Promise<void> {
  const isLocked = before?.is_overridable === false
  const willBe = told.is_overridable === undefined ? isLocked : !told.is_overridable
  const { value = before?.value, value_type = before?.value_type } = told
  const comesToAnother = value !== before?.value || value_type !== before?.value_type
  if (isLocked !== willBe || (isLocked && comesToAnother)) await permittedToo(context, 'lockSetting', at)
}

/** The scopes above one, root first; a user is below its client. */
function scopesAbove(context: AccountContext, at: Where, { scope_id }: SettingScope): readonly SettingScope[] {
  const { project_id, building_id }: Partial<Place> = at === 'own' || at === 'system' ? {} : at
  const ids = { client: clientOf(context, at), project: project_id, building: building_id }
  return (['client', 'project', 'building'] as const).flatMap((type) => {
    const id = ids[type]
    return id === undefined || id === scope_id ? [] : [{ scope_type: type, scope_id: id }]
  })
}

/** The setting of this key above a scope that nothing below it may override: the nearest to the root. */
async function overruling(context: AccountContext, above: readonly SettingScope[], key: string): Promise<Overruling | undefined> {
  const found = await parallelMap(above, (scope) => context.table.Setting.get({ ...scope, key }, { consistent: true }))
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

async function created(context: AccountContext, at: Where, id: Id, { description, ...told }: Told): Promise<SettingItem> {
  const after = madeItem(context.table.runtime, Setting, {
    ...id,
    ...told,
    description: description ?? undefined,
    updated_by: context.user?.id,
  })
  const client_id = clientOf(context, at)
  const entry = { entity: Setting, id: String(after.id), client_id, after: { ...after, client_id } }
  try {
    return givenBack(Setting, (await writeAudited(context, { setting: creating(Setting, after) }, entry)).setting)
  } catch (error) {
    if (!isFreeholdError(error, 'AlreadyExists')) throw error
    throw new FreeholdError('CheckFailed', 'Another has created this setting meanwhile.', {}, { cause: error })
  }
}

async function changed(context: AccountContext, id: Id, before: SettingItem, told: Told): Promise<SettingItem> {
  const change = { ...told, updated_by: context.user?.id ?? null }
  if (isUnchanged(before, change)) return before
  const entry = { entity: Setting, id: before.id, client_id: before.client_id, before, after: changedView(before, change) }
  const steps = { setting: updating(Setting, id, change, { version: before.version }) }
  return givenBack(Setting, (await writeAudited(context, steps, entry)).setting)
}

/** A setting as it is now. `overruled_by`: what stands at its scope instead, as long as it is locked. */
export type SetSetting = SettingItem & { readonly overruled_by?: Overruling }

/** Changes the one that is there, or creates it; anew where another was faster with either. */
export const setSetting = accountFlow({
  name: 'setSetting',
  summary:
    'Gives a setting of a client, project, building or user a value: text that stands for a value of its type. To give a locked one another takes the permission to lock, too. Beneath a locked one it is kept, and the answer says what overrules it.',
  input: { ...versioned, ...given(Setting, 'value'), ...changing(Setting, ...described) },
  place,
  run: async (context, { version, value, scope_type, scope_id, key, ...more }, at): Promise<SetSetting> => {
    const id = { scope_type, scope_id, key }
    const told = { ...more, value }
    const setting = await decideAnew(context.table.runtime, async () => {
      const there = await context.table.Setting.get(id, { consistent: true })
      const isNamed = (version ?? undefined) !== undefined
      const found = there !== undefined || isNamed ? standing('Setting', key, there) : undefined
      if (found !== undefined) checkNamedVersion(Setting, found.version, version)
      checkValue('setSetting', more.value_type ?? found?.value_type ?? 'string', value)
      await permittedLock(context, at, found, told)
      return found === undefined ? created(context, at, id, told) : changed(context, id, found, told)
    })
    const overruled_by = await overruling(context, scopesAbove(context, at, id), key)
    return overruled_by === undefined ? setting : { ...setting, overruled_by }
  },
})

function overridable(flow: 'lockSetting' | 'unlockSetting', summary: string, is_overridable: boolean) {
  return accountFlow({
    name: flow,
    summary,
    input: versioned,
    place,
    run: async (context, { version, ...id }): Promise<SettingItem> =>
      changeAudited(context, Setting, id, { is_overridable, updated_by: context.user?.id ?? null }, { version }),
  })
}

export const lockSetting = overridable('lockSetting', 'Makes a setting stand for all that is below it, whatever is set there.', false)
export const unlockSetting = overridable('unlockSetting', 'Lets what is below a setting have another value again.', true)

export const unsetSetting = accountFlow({
  name: 'unsetSetting',
  summary: 'Takes a setting away: what is above it stands again. To take a locked one away takes the permission to lock, too.',
  input: versioned,
  place,
  run: async (context, { version, ...id }, at): Promise<void> =>
    decideAnew(context.table.runtime, async () => {
      const before = await standingItem(context, Setting, id)
      checkNamedVersion(Setting, before.version, version)
      await permittedLock(context, at, before, { is_overridable: true })
      const steps = { setting: removing(Setting, id, { version: before.version }) }
      await writeAudited(context, steps, { entity: Setting, id: before.id, client_id: before.client_id, before })
    }),
})
