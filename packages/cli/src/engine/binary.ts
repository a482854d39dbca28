import { accessSync, constants, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { FreeholdError } from '@freehold/table'
import type { Environment } from '../environment.ts'

/** The engine version with which this release was measured. package.json pins the same one. */
const version = '1.2.1'

/** The machine for which the binary is sought: the current one, except in tests. */
export interface Machine {
  readonly platform: string
  readonly arch: string
}

/**
 * The path of the embedded engine's binary: `DYNOXIDE_BIN`, or the package of this platform.
 *
 * @throws Unavailable if neither exists, with advice on what to install or set.
 */
export function findEngine(env: Pick<Environment, 'DYNOXIDE_BIN'>, machine: Machine = process): string {
  if (env.DYNOXIDE_BIN !== undefined) {
    if (isExecutable(env.DYNOXIDE_BIN)) return env.DYNOXIDE_BIN
    throw new FreeholdError(
      'Unavailable',
      `DYNOXIDE_BIN names ${env.DYNOXIDE_BIN}, which is not a program that can be run: correct it, or unset it to use the installed package.`,
    )
  }
  const name = `@dynoxide/${machine.platform}-${machine.arch}`
  const packaged = packagedBinary(name, machine)
  if (packaged !== undefined) return packaged
  throw new FreeholdError(
    'Unavailable',
    `The embedded engine for this machine is not installed. Add its package with \`npm install ${name}@${version}\`, ` +
      'or set DYNOXIDE_BIN to a dynoxide binary, or set DYNAMODB_ENDPOINT to the URL of any DynamoDB.',
    { package: name },
  )
}

function packagedBinary(name: string, { platform }: Machine): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    const binary = join(dirname(manifest), platform === 'win32' ? 'dynoxide.exe' : 'dynoxide')
    return isExecutable(binary) ? binary : undefined
  } catch {
    return undefined
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
