import {
  actorText,
  anyJsonOrNone,
  askedVersion,
  changeAsRead,
  changeErrors,
  changing,
  checkNamedVersion,
  createItem,
  given,
  itemAttributes,
  permit,
  requireLive,
  retryOnConflict,
  tenantOfWork,
  valuesOf,
} from '@freehold/frame/flow'
import { count, record, text } from '@freehold/table'
import { invalidInput, parallelMap } from '@freehold/table/runtime'
import { Setting } from '../../design.ts'
import { type AccountContext, type AccountWithin, flow, itemFlows } from '../account-host.ts'
import * as needs from '../needs.ts'
import { scopeNamed } from '../scope.ts'
import { type Overruling, type SettingItem, type SettingScope, scopesFromRoot } from './effective-settings.ts'
import { readSettingValue, type SettingType, settingProblem, valueBytesMax } from './setting-value.ts'

const scoped = given(Setting, 'scope_type', 'scope_id')
const named = { ...scoped, ...given(Setting, 'key') }
const versioned = { ...named, version: askedVersion }
const described = ['value_type', 'description', 'is_overridable'] as const

function checkValue(flow: string, type: SettingType, text: string): void {
  const isTooLong = Buffer.byteLength(text) > valueBytesMax
  const problem = isTooLong ? `has more than ${valueBytesMax} bytes` : settingProblem(type, text)
  if (problem !== undefined) throw invalidInput(flow, [{ path: ['value'], message: problem }], { flow })
}

const scope = async (context: AccountContext, { scope_type, scope_id }: SettingScope): Promise<AccountWithin> =>
  scopeNamed(context, scope_type, scope_id)

/**
 * To lock or unlock a setting, to remove a locked one and to give it another value needs the permission to lock, in every flow and for a user's own
 * settings, too: a locked setting binds every scope below it.
 */
async function permittedLock(context: AccountContext, at: AccountWithin, before: SettingItem | undefined, told: Told): Promise<void> {
  const isLocked = before?.is_overridable === false
  const willBe = told.is_overridable === undefined ? isLocked : !told.is_overridable
  const { value = before?.value, value_type = before?.value_type } = told
  const comesToAnother = value !== before?.value || value_type !== before?.value_type
  if (isLocked !== willBe || (isLocked && comesToAnother)) await permit(context, needs.lockSetting, at)
}

/** The locked setting of this key above a scope: the nearest to the root. */
async function overruling(context: AccountContext, above: readonly SettingScope[], key: string): Promise<Overruling | undefined> {
  const found = await parallelMap(above, (each) => context.table.Setting.get({ ...each, key }, { consistent: true }))
  // One without a text sets nothing.
  const locked = found.find((setting) => setting?.value !== undefined && setting.deleting === undefined && !setting.is_overridable)
  if (locked?.value === undefined) return undefined
  const { scope_type, scope_id, value_type } = locked
  const { value } = { value: undefined, ...readSettingValue(value_type, locked.value) }
  return { scope_type, scope_id, ...(value === undefined ? {} : { value }) }
}

/** The given attributes of a setting that locks concern. */
type Told = { readonly [N in 'value' | 'value_type' | 'is_overridable']?: SettingItem[N] | undefined }

/** A setting as it is now. `overruled_by`: the locked setting above it, which counts instead for as long as it is locked. */
export type SetSetting = SettingItem & { readonly overruled_by?: Overruling }

/** Changes the setting that is there, or creates it. */
const setSetting = flow({
  name: 'setSetting',
  summary:
    'Gives a setting of a client, project, building or user a value: text that stands for a value of its type. To give a locked one another takes the permission to lock, too. Beneath a locked one it is kept, and the answer says what overrules it.',
  input: { ...versioned, ...given(Setting, 'value'), ...changing(Setting, ...described) },
  needs: needs.ownOr('scope', 'write', 'setting'),
  effect: 'write',
  writes: { create: Setting, update: Setting },
  returns: valuesOf<SetSetting>({
    ...itemAttributes(Setting),
    Type: text(),
    version: count(),
    deleting: text().optional(),
    overruled_by: record({ ...scoped, value: anyJsonOrNone }).optional(),
  }),
  errors: [...changeErrors, 'MissingEnd'],
  scope,
  run: async (context, { version, value, scope_type, scope_id, key, ...more }, at) => {
    const id = { scope_type, scope_id, key }
    const told = { ...more, value }
    const write = async (): Promise<SettingItem> => {
      const there = await context.table.Setting.get(id, { consistent: true })
      const isNamed = (version ?? undefined) !== undefined
      const found = there !== undefined || isNamed ? requireLive('Setting', key, there) : undefined
      if (found !== undefined) checkNamedVersion(Setting, found.version, version)
      checkValue('setSetting', more.value_type ?? found?.value_type ?? 'string', value)
      await permittedLock(context, at, found, told)
      const updated_by = actorText(context.caller)
      if (found !== undefined) return changeAsRead(context, Setting, found, { ...told, updated_by })
      const made = { ...id, ...told, description: more.description ?? undefined, updated_by }
      return createItem(context, Setting, made, { tenant: tenantOfWork(context, at) })
    }
    // Another writer may have created it meanwhile.
    const written = await retryOnConflict(context.table.runtime, write, ['AlreadyExists'])
    const above = scopesFromRoot(context, at).filter((each) => each.scope_id !== scope_id)
    const overruled_by = await overruling(context, above, key)
    return overruled_by === undefined ? written : { ...written, overruled_by }
  },
})

const setting = itemFlows(Setting, { scope })

function overridable<const N extends string>(name: N, summary: string, is_overridable: boolean) {
  const change = ({ context }: { readonly context: AccountContext }) => ({ is_overridable, updated_by: actorText(context.caller) })
  return setting.update({ name, summary, needs: needs.lockSetting, change })
}

const lockSetting = overridable('lockSetting', 'Locks a setting: it counts for every scope below it, whatever is set there.', false)
const unlockSetting = overridable('unlockSetting', 'Unlocks a setting: scopes below it may have another value again.', true)

const unsetSetting = setting.remove({
  name: 'unsetSetting',
  summary: 'Takes a setting away: the setting above it counts again. To take a locked one away takes the permission to lock, too.',
  needs: needs.ownOr('scope', 'write', 'setting'),
  check: ({ context, scope }, before) => permittedLock(context, scope, before, { is_overridable: true }),
})

export const settingFlows = { setSetting, lockSetting, unlockSetting, unsetSetting } as const
