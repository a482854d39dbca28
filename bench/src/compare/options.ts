import { parseArgs } from 'node:util'
import { operationNames } from './suites.js'

export interface Options {
  /** The commit to compare this tree with. */
  readonly commit: string
  readonly runs: number
  /** How long each operation runs on each side in each run, in milliseconds. */
  readonly duration_ms: number
  readonly operations: readonly string[]
  /** Prints what it finds, and ends well whatever that is. */
  readonly isReport: boolean
}

export const usage = `npm --prefix bench run compare -- --with COMMIT [--runs 3] [--seconds 1.5] [--only NAME…] [--report]

--only takes any part of the name of an operation:
  ${operationNames.join('\n  ')}`

function positive(option: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new Error(`--${option} ${text}: it takes a number above 0.`)
}

/** Throws, with what to say, for what it does not understand. */
export function readOptions(parameters: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    options: {
      with: { type: 'string' },
      runs: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '1.5' },
      only: { type: 'string', multiple: true, default: [] },
      report: { type: 'boolean', default: false },
    },
    // More names after the first of --only.
    allowPositionals: true,
  })
  const { with: commit, only } = values
  if (commit === undefined) throw new Error('--with COMMIT is missing.')
  if (positionals.length > 0 && only.length === 0) throw new Error(`'${positionals[0]}' belongs to no option.`)
  const parts = [...only, ...positionals]
  const isAsked = (name: string) => parts.length === 0 || parts.some((part) => name.includes(part))
  const unknown = parts.find((part) => !operationNames.some((name) => name.includes(part)))
  if (unknown !== undefined) throw new Error(`No operation has '${unknown}' in its name.`)
  return {
    commit,
    runs: Math.ceil(positive('runs', values.runs)),
    duration_ms: positive('seconds', values.seconds) * 1000,
    operations: operationNames.filter(isAsked),
    isReport: values.report,
  }
}
