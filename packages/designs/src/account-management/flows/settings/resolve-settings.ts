import { answerBytesMax, given, type InputOf, keptWithin, readErrors, requireLive, tenantOfWork, valuesOf } from '@freehold/frame/flow'
import { FreeholdError, flag, list, map, record, uuid } from '@freehold/table'
import { invalidInput, parallelMap } from '@freehold/table/runtime'
import { Setting } from '../../design.ts'
import { type AccountContext, type AccountTable, type AccountWithin, flow } from '../account-host.ts'
import { ownOr } from '../needs.ts'
import { scopeNamed } from '../scope.ts'
import {
  type Effective,
  type EffectiveSetting,
  effectiveAttributes,
  effectiveIfSet,
  effectiveSettings,
  type NotSet,
  type SettingItem,
  type SettingScope,
  scopesFromRoot,
} from './effective-settings.ts'

const scoped = given(Setting, 'scope_type', 'scope_id')

/** A scope, or a scope together with one of its client's users, or an internal one. */
const resolving = { ...scoped, user_id: uuid().optional().describe('The user whose settings count, too: not with a user as the scope.') }
type Resolving = InputOf<typeof resolving>

/** The scope at which the caller must be permitted to read: the client for the settings of another user, the named scope for its own. */
async function resolvingScope(context: AccountContext, { scope_type, scope_id, user_id }: Resolving): Promise<AccountWithin> {
  const { flow, user } = context
  const at = await scopeNamed(context, scope_type, scope_id)
  if (user_id === undefined || user_id === null) return at
  if (scope_type === 'user' || at === 'system' || at === 'own')
    throw invalidInput(flow, [{ path: ['user_id'], message: 'comes with a client, project or building' }], { flow })
  return user?.id === user_id ? at : { client_id: at.client_id }
}

/** Throws `NotFound` for a user who is neither of the client nor internal. */
async function checkUserAt({ table, user }: AccountContext, client_id: string | undefined, id: string): Promise<void> {
  const found = user?.id === id ? user : await table.User.get({ id }, { consistent: true })
  const isThere = found?.client_id === undefined || found.client_id === client_id
  requireLive('User', id, isThere ? found : undefined)
}

/** The scopes whose settings come together, root first. */
async function chainOf(context: AccountContext, { scope_type, scope_id, user_id }: Resolving): Promise<readonly SettingScope[]> {
  const within = await scopeNamed(context, scope_type, scope_id)
  if (typeof user_id === 'string') await checkUserAt(context, tenantOfWork(context, within), user_id)
  return scopesFromRoot(context, within, scope_type === 'user' ? scope_id : (user_id ?? undefined))
}

async function settingsOf(flow: string, table: AccountTable, scope: SettingScope): Promise<readonly SettingItem[]> {
  const all = table.settingsOfScope.all(scope, { consistent: true })
  const message = `The settings of this ${scope.scope_type} are more than ${answerBytesMax} bytes together: resolve them one by one.`
  return keptWithin(flow, all, (item) => (item.deleting === undefined ? item : undefined), message)
}

async function settingAt(table: AccountTable, id: SettingScope & { readonly key: string }): Promise<readonly SettingItem[]> {
  const item = await table.Setting.get(id, { consistent: true })
  return item === undefined || item.deleting !== undefined ? [] : [item]
}

/** Reads at each scope of a chain. Settings of an internal user lie in no tenant scope. */
async function resolved(
  { table, unscoped, user }: AccountContext,
  chain: readonly SettingScope[],
  look: (table: AccountTable, scope: SettingScope) => Promise<readonly SettingItem[]>,
): Promise<Effective> {
  return effectiveSettings(await parallelMap(chain, (each) => look(each.scope_id === user?.id ? unscoped : table, each)))
}

const resolveSetting = flow({
  name: 'resolveSetting',
  summary:
    'The effective value of a setting at a client, project or building, for a user, or for a user at one of these, and the scope that it comes from.',
  input: { ...resolving, key: Setting.attributes.key },
  needs: ownOr('scope', 'read', 'setting'),
  effect: 'read',
  returns: valuesOf<EffectiveSetting | NotSet>({
    ...effectiveIfSet,
    is_set: flag().optional(),
    looked_at: list(record(scoped)).optional(),
  }),
  errors: readErrors,
  scope: resolvingScope,
  run: async (context, { key, ...asked }) => {
    const looked_at = await chainOf(context, asked)
    const { settings, malformed } = await resolved(context, looked_at, (table, each) => settingAt(table, { ...each, key }))
    const [found] = settings
    const [broken] = malformed
    if (broken !== undefined) throw new FreeholdError('MalformedItem', broken.reason, { entity: Setting.name, key: broken.key })
    return found ?? { key, is_set: false as const, looked_at }
  },
})

const resolveSettings = flow({
  name: 'resolveSettings',
  summary:
    'The effective values of all settings at a client, project or building, for a user, or for a user at one of these, in the order of their keys.',
  input: resolving,
  needs: ownOr('scope', 'read', 'setting'),
  effect: 'read',
  returns: valuesOf<Effective>({ settings: list(record(effectiveAttributes)), malformed: list(map()) }),
  errors: [...readErrors, 'TooLarge'],
  scope: resolvingScope,
  run: async (context, asked) => resolved(context, await chainOf(context, asked), (table, each) => settingsOf(context.flow, table, each)),
})

export const settingQuestions = { resolveSetting, resolveSettings } as const
