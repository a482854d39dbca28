import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { designModules } from '@freehold/designs'
import { type DesignModule, folderOf, type ModuleFolder, modulesWithout, type WithoutErrors } from '@freehold/frame'
import { utf8Text } from '@freehold/frame/reading'
import { type ConnectedTable, connect, FreeholdError } from '@freehold/table'
import { mayNotScan, senderOf } from '@freehold/table/runtime'
import { type Environment, folderVariable, namedVariables, tableVariable } from '../environment.ts'
import type { Log } from '../http/access-log.ts'
import { type ApiKeys, openKeys } from '../keys/api-keys.ts'
import { serviceDesign } from '../keys/design.ts'
import { sentMails } from '../mail/mail-settings.ts'
import { openLog } from '../operations/log.ts'
import type { Served } from '../served.ts'
import { cursorSecret, type ReadSecret } from './cursor-secret.ts'

/** What the functions of a deployment work on. */
export interface DeployedTables {
  /** The served designs, by their names in paths. */
  readonly tables: ReadonlyMap<string, Served>
  readonly keys: ApiKeys
}

export interface DeployingOptions {
  /** The designs that `FREEHOLD_DESIGNS` may name: those of this project by default. A program hands in its own, or some without features. */
  readonly modules?: ReadonlyMap<string, DesignModule>
  /** Takes the lines of changes and of denied calls. By default they go to the log of the function. */
  readonly log?: (line: object) => void
  /** Reads the secret that `FREEHOLD_SECRET_ARN` names, from Secrets Manager by default. */
  readonly readSecret?: ReadSecret
}

const functionLog = openLog({ hold_ms: 0, write: (line) => void process.stdout.write(line) })

/** A line of a function's log, without the members that have the names of secrets. */
export const toLog = (line: object): void => functionLog.line('info', line)

/** The line of a request in a function's log, as a server writes it. */
export const requestToLog: Log = functionLog.request

/** A gateway gives up after 29 seconds, and a function after its own timeout: a table is given up before, so that the answer says why. */
const patience = { patience_ms: 8_000, attempt_ms: 2_000, wait_ms: 15_000 } as const

const refused = (message: string) => new FreeholdError('InvalidInput', message, { issues: [] })

const withoutErrors: WithoutErrors = {
  malformed: () => refused('FREEHOLD_WITHOUT is malformed: write DESIGN:FEATURE,FEATURE, with a space before the next design.'),
  unknownDesign: (_, known) => refused(`FREEHOLD_WITHOUT names an unknown design: there are ${known.join(', ')}.`),
  unknownFeature: (_, design, known) =>
    refused(`FREEHOLD_WITHOUT names an unknown feature of ${design}: there are ${known.join(', ') || 'none'}.`),
}

/** The modules without the features that the deployment leaves out, for all its tables: the same as for every other program on them. */
function knownModules({ FREEHOLD_WITHOUT: text = '' }: Environment, modules: ReadonlyMap<string, DesignModule>) {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return modulesWithout(modules, words, withoutErrors)
}

/** The modules that `FREEHOLD_DESIGNS` names. Nothing is served unless it is named: a design needs a table, and the permission to use it. */
function namedModules({ FREEHOLD_DESIGNS: text = '' }: Environment, known: ReadonlyMap<string, DesignModule>): readonly DesignModule[] {
  const names = [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))]
  if (names.length === 0) throw refused(`FREEHOLD_DESIGNS names no design: name some of ${[...known.keys()].join(', ')}.`)
  return names.map((name) => {
    const module = known.get(name)
    if (module === undefined) throw refused(`FREEHOLD_DESIGNS names an unknown design: there are ${[...known.keys()].join(', ')}.`)
    return module
  })
}

async function textsOf(path: string, { takes }: ModuleFolder): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(path)).filter((name) => !name.startsWith('.') && takes(name)).sort()
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => [name, utf8Text(await readFile(join(path, name)), `The file ${name}`)]),
    ),
  )
}

/** A module with the folder that its variable names, beside the code of the function. */
async function withFolder(module: DesignModule, env: Environment): Promise<DesignModule> {
  const folder = folderOf(module)
  const path = folder && env[folderVariable(folder.name)]
  if (folder === undefined || path === undefined) return module
  const { module: opened } = await folder.open(await textsOf(resolve(env.LAMBDA_TASK_ROOT ?? '.', path), folder))
  return { ...opened, design: module.design }
}

/** The variables that name the tables and the folders of modules, and the table of the API keys. */
export function variablesOf(modules: ReadonlyMap<string, DesignModule> = designModules): readonly string[] {
  const folders = [...modules.values()].flatMap((module) => folderOf(module)?.name ?? [])
  return [...[...modules.keys(), serviceDesign.name].map(tableVariable), ...folders.map(folderVariable)]
}

/** Every variable that a deployed service of these modules reads. */
export const serviceVariables = (modules?: ReadonlyMap<string, DesignModule>): readonly string[] => [
  ...namedVariables,
  ...variablesOf(modules),
]

/**
 * Connects to the tables of a deployment, and sends nothing to them before the first request.
 * @throws InvalidInput for settings that are missing or malformed, and for a folder that its module refuses
 */
export async function deployedTables(
  env: Environment,
  { modules = designModules, log = toLog, readSecret }: DeployingOptions = {},
): Promise<DeployedTables> {
  const named = namedModules(env, knownModules(env, modules))
  const mailing = sentMails(env)
  const secret = await cursorSecret(env, readSecret)
  const sender = senderOf(env.DYNAMODB_ENDPOINT === undefined ? {} : { endpoint: env.DYNAMODB_ENDPOINT })
  const tableOf = (design: string) => {
    const table = env[tableVariable(design)]
    return { sender, secret, ...patience, ...(table === undefined ? {} : { table }) }
  }
  const served = await Promise.all(
    named.map(async (plain): Promise<[string, Served]> => {
      const module = await withFolder(plain, env)
      const logged = module.flows?.loggedBy(log)
      const flows = mailing === undefined ? logged : logged?.mailedBy(mailing)
      const table: ConnectedTable = connect(module.design, { ...tableOf(module.design.name), jobHandlers: flows?.jobHandlers ?? {} })
      mayNotScan(table.runtime)
      return [module.design.name, { module: { ...module, ...(flows === undefined ? {} : { flows }) }, table }]
    }),
  )
  return { tables: new Map(served), keys: await openKeys({ ...tableOf(serviceDesign.name), isDeployed: true }) }
}
