import type { SavedQuestion } from '@freehold/client'
import { type ApiKeys, type ConsoleOpened, type KeyEntry, type NewKey, openKeys, serviceDesign } from '@freehold/service'
import type { Shell } from '../shell.ts'
import { type TableOptions, withTable } from './open-table.ts'
import { serviceAt } from './service-at.ts'

/** The API keys of a service, in their table or behind the service itself. */
export interface ReachedKeys extends Pick<ApiKeys, 'list' | 'foreign' | 'newKey' | 'rotate' | 'revoke'> {
  /** A link that opens the console once. Undefined if there is no key of an operator without limits. */
  consoleLink(): Promise<ConsoleOpened | undefined>
  /** The saved questions of a design, which lie beside the keys. */
  savedQuestions(design: string): Promise<readonly SavedQuestion[]>
}

/** A link as the oldest live key of an operator without limits, which is the first one of most services. */
export async function operatorLink(keys: ApiKeys, now: Date): Promise<ConsoleOpened | undefined> {
  const isUsable = ({ purpose = 'operator', designs, expiresAt, replacedBy }: KeyEntry) =>
    purpose === 'operator' &&
    designs === undefined &&
    replacedBy === undefined &&
    !(expiresAt !== undefined && now.toISOString() >= expiresAt)
  const key = (await keys.list()).find(isUsable)
  return key && keys.sessions.newLink(key.keyId)
}

/** Works with the API keys of a service for one command. */
export async function withKeys<T>(
  shell: Shell,
  options: TableOptions,
  work: (keys: ReachedKeys) => Promise<T>,
  isReading: boolean,
): Promise<T> {
  const service = serviceAt(shell, options)
  if (service === undefined)
    return withTable(shell, { module: { design: serviceDesign }, name: 'freehold api-keys', isReading }, options, async ({ runtime }) => {
      const { sender, table, now } = runtime
      const keys = await openKeys({ sender, table, now })
      // The routes that save them hold them to these types.
      const savedQuestions = async (design: string) => (await keys.saved.list(design)) as unknown as readonly SavedQuestion[]
      return work({ ...keys, savedQuestions, consoleLink: () => operatorLink(keys, now()) })
    })
  const [{ serviceOf }, { asked }] = await Promise.all([import('@freehold/client'), import('./problem-as-error.ts')])
  const client = serviceOf(service)
  // The service tells a key as its table has it.
  return work({
    list: async () => (await asked(() => client.apiKeys())) as unknown as readonly KeyEntry[],
    // A service refuses foreign keys, and lists none.
    foreign: async () => [],
    newKey: async (name, { purpose, designs, tenant, flows, expiresAt } = {}) =>
      (await asked(() => client.newApiKey({ name, purpose, designs, tenant, flows, expiresAt }))) as unknown as NewKey,
    rotate: async (keyId, { overlap_ms }) =>
      (await asked(() => client.rotateApiKey(keyId, Math.round(overlap_ms / 1000)))) as unknown as NewKey,
    consoleLink: async () => (await asked(() => client.newConsoleLink())) as unknown as ConsoleOpened,
    savedQuestions: (design) => asked(() => client.savedQuestions(design)),
    revoke: (keyId) => asked(() => client.revokeApiKey(keyId)),
  })
}
