import { parseArgs } from 'node:util'
import { tenancyOf } from './tenancies.js'
import type { Tenancy } from './tenancy.js'

export interface Options {
  readonly tenancy: Tenancy
  readonly users: number
  /** Write units a second that the deletion may take; as many as it can unless given. */
  readonly budget: number | undefined
  /** Transactions that name an item of another one under way are cancelled. */
  readonly hasConflicts: boolean
  /** How long the other tenant asks before the deletion begins, in seconds. */
  readonly before_s: number
  /** The deletion is called off after so long. */
  readonly minutes_max: number
}

export const usage =
  'npm --prefix bench run deletion -- [--design account-management] [--users 50000] [--budget UNITS_PER_S] [--conflicts] [--before SECONDS] [--minutes LONGEST]'

function positive(option: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new Error(`--${option} ${text}: it takes a number above 0.\n\n${usage}`)
}

export function readOptions(parameters: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      design: { type: 'string', default: 'account-management' },
      users: { type: 'string', default: '50000' },
      budget: { type: 'string' },
      conflicts: { type: 'boolean', default: false },
      before: { type: 'string', default: '15' },
      minutes: { type: 'string', default: '30' },
    },
  })
  return {
    tenancy: tenancyOf(values.design),
    users: Math.ceil(positive('users', values.users)),
    budget: values.budget === undefined ? undefined : positive('budget', values.budget),
    hasConflicts: values.conflicts,
    before_s: positive('before', values.before),
    minutes_max: positive('minutes', values.minutes),
  }
}
