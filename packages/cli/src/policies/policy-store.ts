import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Policy } from '@freehold/designs/authorization'
import { policyFiles } from '@freehold/frame/cedar'
import {
  type PolicyRecord,
  type PolicyRecords,
  type Pushed,
  type PushStep,
  policyDrift,
  pulledFiles,
  pushPolicies,
} from '@freehold/service/verified-permissions'
import { prefixRange, readCollection, viewItem } from '@freehold/table/runtime'
import { invalid } from '../input/invalid.ts'
import { readPolicyTexts } from '../input/policy-folder.ts'
import { folderPath } from '../input/read-folder.ts'
import { flowNamed, moduleNamed } from '../naming/named.ts'
import { type Opened, type TableOptions, withTable } from '../opening/open-table.ts'
import { counted } from '../output/counted.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface StoreOptions extends TableOptions {
  readonly store?: string
  readonly prune?: boolean
}

/** Region, endpoint and credentials are those that AWS's own tools take. */
function storeOf({ settings }: Shell, { store = settings.folders.policyStore }: StoreOptions): { readonly policyStoreId: string } {
  if (store !== undefined && store !== '') return { policyStoreId: store }
  throw invalid('Name the policy store: --store ID.')
}

const caller = { actor: { kind: 'operator', name: 'freehold policies push' } } as const

/** The records of policies in the table, which the design's flows write. */
function recordsOf(shell: Shell, { table, runtime, flows }: Opened): PolicyRecords {
  const module = moduleNamed(shell, 'authorization')
  const run = (name: string, input: object) => {
    const { flow, flows: plain } = flowNamed(shell, module, name)
    return (flows ?? plain).run(table, flow.name, input, caller)
  }
  return {
    list: async () => {
      const items = await readCollection(runtime, 'GLOBAL', prefixRange('POLICY_NAME#'))
      // The attributes of a policy, which `viewItem` has checked.
      return items.map((item) => viewItem(Policy, item) as unknown as PolicyRecord)
    },
    register: ({ policyId, name }) => run('registerPolicy', { policyId, name }),
    rename: ({ policyId, name }) => run('renamePolicy', { policyId, name }),
    remove: (policyId) => run('removePolicy', { policyId }),
  }
}

const told = (step: PushStep): string => ('id' in step ? `${step.does} ${step.id}` : step.does)

async function print(shell: Shell, { steps, foreign }: Pushed, { json = false }: StoreOptions, nothing: string): Promise<void> {
  if (json)
    return printJson(shell, { steps: steps.map((step) => ({ does: step.does, ...('id' in step ? { id: step.id } : {}) })), foreign })
  await shell.out(steps.length === 0 ? nothing : steps.map((step) => `${safeText(told(step))}\n`).join(''))
  for (const { id, name } of foreign) shell.err(`${safeText(name)} (${safeText(id)}) was not pushed from here: \`--prune\` deletes it.\n`)
}

async function compared(shell: Shell, folder: string, options: StoreOptions, compare: typeof pushPolicies): Promise<Pushed> {
  const [store, files] = [storeOf(shell, options), policyFiles(await readPolicyTexts(shell, folder))]
  const module = moduleNamed(shell, 'authorization')
  const { prune = false } = options
  return withTable(shell, { module, name: 'freehold policies', isReading: compare !== pushPolicies }, options, (opened) =>
    compare(store, files, recordsOf(shell, opened), { prune }),
  )
}

/** Makes a policy store equal to a folder, and tells the store and each change. */
export async function push(shell: Shell, folder: string, options: StoreOptions): Promise<Exit> {
  const { policyStoreId } = storeOf(shell, options)
  const pushed = await compared(shell, folder, options, pushPolicies)
  await print(shell, pushed, options, 'The policy store is as the folder.\n')
  if (pushed.steps.length > 0) shell.err(`Changed the policy store ${safeText(policyStoreId)}.\n`)
  return exit.yes
}

/** Tells what a push would do. Exits with 1 if there is anything. */
export async function diff(shell: Shell, folder: string, options: StoreOptions): Promise<Exit> {
  const drift = await compared(shell, folder, options, policyDrift)
  await print(shell, drift, options, 'The policy store is as the folder.\n')
  return drift.steps.length + drift.foreign.length === 0 ? exit.yes : exit.no
}

/** Makes a folder equal to a policy store, and names the files that it wrote. */
export async function pull(shell: Shell, folder: string, options: StoreOptions): Promise<Exit> {
  await mkdir(folderPath(shell, folder), { recursive: true })
  const pulled = await pulledFiles(storeOf(shell, options), await readPolicyTexts(shell, folder))
  for (const [name, text] of pulled) await writeFile(join(folderPath(shell, folder), name), text)
  const names = [...pulled.keys()]
  if (options.json === true) await printJson(shell, { written: names })
  else
    await shell.out(
      names.length === 0 ? 'The folder is as the policy store.\n' : `Wrote ${counted(names.length, 'file')}: ${names.join(', ')}.\n`,
    )
  return exit.yes
}
