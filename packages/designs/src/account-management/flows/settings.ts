import { count, creating, FreeholdError, invalidInput, isFreeholdError, sideBySide, tableKey } from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { changing, given } from '../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../flow/made-item.ts'
import { Setting } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { changeAudited, removeAudited } from './change-audited.ts'
import { type Effective, type EffectiveSetting, effectiveSettings, type SettingItem } from './effective-settings.ts'
import { type ScopeType, scopePlace, type Where } from './place.ts'
import { readSettingValue, type SettingType } from './setting-value.ts'

const scope = given(Setting, 'scope_type', 'scope_id')
const named = { ...scope, ...given(Setting, 'key') }
const versioned = { ...named, version: count().optional() }
const described = ['value_type', 'description', 'is_overridable'] as const
interface Scope {
  readonly scope_type: ScopeType
  readonly scope_id: string
}

function checkValue(flow: string, type: SettingType, text: string): void {
  const { problem } = readSettingValue(type, text)
  if (problem !== undefined) throw invalidInput(flow, [{ path: ['value'], message: problem }], { flow })
}

/** The client of a scope; undefined for an internal user, who has none and so can have no settings of a client. */
function clientOf({ user }: AccountContext, place: Where): string | undefined {
  if (place === 'own') return user?.client_id
  return place === 'system' ? undefined : place.client_id
}

const place = async (context: AccountContext, { scope_type, scope_id }: Scope): Promise<Where> => scopePlace(context, scope_type, scope_id)

/** Changes the one that is there, or creates it; anew where another was faster with either. */
export const setSetting = accountFlow({
  name: 'setSetting',
  summary: 'Gives a setting of a client, project, building or user a value: text that stands for a value of its type.',
  input: { ...versioned, ...given(Setting, 'value'), ...changing(Setting, ...described) },
  place,
  run: async (context, { version, value, scope_type, scope_id, key, ...more }, at): Promise<SettingItem> => {
    const id = { scope_type, scope_id, key }
    const change = { ...more, value, updated_by: context.user?.id ?? null }
    return decideAnew(context.table.runtime, async () => {
      const found = await context.table.Setting.get(id, { consistent: true })
      checkValue('setSetting', more.value_type ?? found?.value_type ?? 'string', value)
      if (found !== undefined || (version ?? undefined) !== undefined) return changeAudited(context, Setting, id, change, { version })
      const { description, ...kept } = change
      const after = madeItem(context.table.runtime, Setting, {
        ...id,
        ...kept,
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
    })
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
  summary: 'Takes a setting away: what is above it stands again.',
  input: versioned,
  place,
  run: async (context, { version, ...id }): Promise<void> => removeAudited(context, Setting, id, { version }),
})

/** The scopes whose settings come together at a place, root first; a user is below its client. */
function chainOf(at: Where, { scope_type, scope_id }: Scope, own: string | undefined): readonly Scope[] {
  const client_id = at === 'own' ? own : at === 'system' ? undefined : at.client_id
  const chain: Scope[] = client_id === undefined ? [] : [{ scope_type: 'client', scope_id: client_id }]
  if (scope_type === 'user') return [...chain, { scope_type, scope_id }]
  if (at === 'own' || at === 'system') return chain
  if (at.project_id !== undefined) chain.push({ scope_type: 'project', scope_id: at.project_id })
  if (at.building_id !== undefined) chain.push({ scope_type: 'building', scope_id: at.building_id })
  return chain
}

async function resolved(context: AccountContext, scope: Scope, at: Where): Promise<Effective> {
  const chain = chainOf(at, scope, context.user?.client_id)
  const settings = await sideBySide(chain, async (each) => {
    const items: SettingItem[] = []
    for await (const item of context.table.settingsOfScope.all(each, { consistent: true }))
      if (item.deleting === undefined) items.push(item)
    return items
  })
  return effectiveSettings(settings)
}

export const resolveSetting = accountFlow({
  name: 'resolveSetting',
  summary: 'What a setting comes to at a client, project, building or for a user, and which of them says so.',
  input: named,
  place,
  run: async (context, { key, ...scope }, at): Promise<EffectiveSetting | undefined> => {
    const { settings, malformed } = await resolved(context, scope, at)
    const found = settings.find((setting) => setting.key === key)
    const broken = found === undefined ? malformed.find(({ key: { SK } }) => SK === tableKey(Setting, { ...scope, key }).SK) : undefined
    if (broken !== undefined) throw new FreeholdError('MalformedItem', broken.reason, { entity: Setting.name, key: broken.key })
    return found
  },
})

export const resolveSettings = accountFlow({
  name: 'resolveSettings',
  summary: 'What all settings come to at a client, project, building or for a user, in the order of their keys.',
  input: scope,
  place,
  run: async (context, input, at): Promise<Effective> => resolved(context, input, at),
})
