import { anyJson, anyJsonOrNone, tenantOfWork } from '@freehold/frame/flow'
import { flag, type Item, type Json, type Malformed } from '@freehold/table'
import { grouped, tableKey } from '@freehold/table/runtime'
import { Setting } from '../../design.ts'
import type { AccountContext, AccountWithin } from '../account-host.ts'
import { readSettingValue } from './setting-value.ts'

export type SettingItem = Item<typeof Setting>

/** The effective value of a setting at a scope, and the item that it comes from. */
export interface EffectiveSetting {
  readonly key: string
  readonly value: Json
  readonly value_type: SettingItem['value_type']
  readonly scope_type: SettingItem['scope_type']
  readonly scope_id: string
  /** True if the setting is locked: nothing below its scope may override it. */
  readonly is_locked: boolean
}

const { key, value_type, scope_type, scope_id } = Setting.attributes
/** The same, described for those who have only its name. */
export const effectiveAttributes = { key, value: anyJson, value_type, scope_type, scope_id, is_locked: flag() }
/** The same where no setting may be set: then there is the key alone. */
export const effectiveIfSet = {
  ...{ key, value: anyJsonOrNone, value_type: value_type.optional(), is_locked: flag().optional() },
  ...{ scope_type: scope_type.optional(), scope_id: scope_id.optional() },
}

/** A scope at which there are settings. */
export type SettingScope = Pick<SettingItem, 'scope_type' | 'scope_id'>

/** The scopes whose settings meet at a scope, root first. A user lies below every other scope. */
export function scopesFromRoot(context: AccountContext, within: AccountWithin, user?: string): readonly SettingScope[] {
  const { project_id: project = undefined, building_id: building = undefined } = typeof within === 'string' ? {} : within
  const ids = { client: tenantOfWork(context, within), project, building, user }
  return (['client', 'project', 'building', 'user'] as const).flatMap((scope_type) => {
    const scope_id = ids[scope_type]
    return scope_id === undefined ? [] : [{ scope_type, scope_id }]
  })
}

/** No setting of a key is set at a scope or above it. */
export interface NotSet {
  readonly key: string
  readonly value?: undefined
  readonly is_set: false
  readonly looked_at: readonly SettingScope[]
}

/** A locked setting, which counts for all scopes below it; without a value if its text does not fit its type. */
export interface Overruling extends SettingScope {
  readonly value?: Json
}

/** The setting of a key that counts, of those from the root down: the first that is locked, else the most specific. */
export function decidingSetting<S extends Pick<SettingItem, 'is_overridable'>>(fromRoot: readonly S[]): S | undefined {
  return fromRoot.find(({ is_overridable }) => !is_overridable) ?? fromRoot.at(-1)
}

/** One setting, read by its type. A text that does not fit it is malformed, and has no value. Undefined for one without a text, which sets nothing. */
function effective(setting: SettingItem): EffectiveSetting | Malformed | undefined {
  const { key, value: text, value_type, scope_type, scope_id, is_overridable } = setting
  if (text === undefined) return undefined
  const read = readSettingValue(value_type, text)
  if (read.problem !== undefined) return { key: tableKey(Setting, setting), reason: `The value of the setting '${key}' ${read.problem}.` }
  return { key, value: read.value, value_type, scope_type, scope_id, is_locked: !is_overridable }
}

export interface Effective {
  readonly settings: readonly EffectiveSetting[]
  readonly malformed: readonly Malformed[]
}

/** The effective settings of a chain of scopes, root first, in the order of their keys (spec: settings). */
export function effectiveSettings(chain: readonly (readonly SettingItem[])[]): Effective {
  const set = chain.flat().filter(({ value }) => value !== undefined)
  const byKey = grouped(set, ({ key }) => key)
  const settings: EffectiveSetting[] = []
  const malformed: Malformed[] = []
  for (const key of [...byKey.keys()].sort()) {
    const deciding = decidingSetting(byKey.get(key) ?? [])
    const judged = deciding === undefined ? undefined : effective(deciding)
    if (judged !== undefined) 'reason' in judged ? malformed.push(judged) : settings.push(judged)
  }
  return { settings, malformed }
}
