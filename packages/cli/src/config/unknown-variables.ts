import type { DesignModule } from '@freehold/frame'
import type { Environment } from '../environment.ts'
import { hintOf } from '../naming/nearest.ts'
import { safeText } from '../output/safe-text.ts'
import type { Surroundings } from '../shell.ts'
import { variableOf } from './setting.ts'
import { knownSettings } from './settle.ts'

const prefix = 'FREEHOLD_'

/** A longer name is cut. */
const shown_max = 100

/** The variables of the command. */
const commandVariables = (designs: ReadonlyMap<string, DesignModule>): readonly string[] => [
  'FREEHOLD_CONFIG',
  ...Object.keys(knownSettings(designs)).map(variableOf),
]

/** The variables of ours that any part of the product reads: the command, a deployed service and a deployed authorizer. */
export async function knownVariables(designs: ReadonlyMap<string, DesignModule>): Promise<readonly string[]> {
  const [{ serviceVariables }, { authorizerVariables }] = await Promise.all([import('@freehold/service'), import('@freehold/authorizer')])
  const all = [...commandVariables(designs), ...serviceVariables(designs), ...authorizerVariables]
  return [...new Set(all)].filter((name) => name.startsWith(prefix))
}

/**
 * A sentence for each variable that looks like one of ours and that nothing reads. It stops no command, since another release may know the name, and it
 * never tells a value, which may be a secret.
 */
export async function unknownVariables(env: Environment, designs: ReadonlyMap<string, DesignModule>): Promise<readonly string[]> {
  const ofCommand = commandVariables(designs)
  const others = Object.keys(env).filter((name) => name.startsWith(prefix) && !ofCommand.includes(name))
  // Service and authorizer are loaded only where one of their variables may be set.
  if (others.length === 0) return []
  const known = await knownVariables(designs)
  return others.flatMap((name) => {
    if (known.includes(name)) return []
    const names = known.map((each) => each.slice(prefix.length))
    const hint = hintOf(name.slice(prefix.length), names, 'freehold config', (near) => `${prefix}${near}`)
    return [safeText(`${name.slice(0, shown_max)} is no setting. ${hint}`)]
  })
}

/** Tells a person of them on stderr. */
export async function tellUnknownVariables({ env, designs, err }: Pick<Surroundings, 'env' | 'designs' | 'err'>): Promise<void> {
  for (const sentence of await unknownVariables(env, designs)) err(`${sentence}\n`)
}
