import { FreeholdError } from '@freehold/table'

/** The error for what a person gave: an option, a setting, a file. */
export const invalid = (message: string, cause?: unknown): FreeholdError =>
  new FreeholdError('InvalidInput', message, { issues: [] }, cause === undefined ? {} : { cause })
