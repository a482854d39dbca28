import { FreeholdError } from '../errors.ts'
import { type Lock, lockSchema } from './lock.ts'

const width = 120

/** JSON with a line for each part that is short enough, so that a change of one attribute is a change of one line. */
function textOf(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const deeper = `${indent}  `
  const parts = (inner: string): string[] =>
    Array.isArray(value)
      ? value.map((each) => textOf(each, inner))
      : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${textOf(part, inner)}`)
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' ']
  const line = `${open}${space}${parts('').join(', ')}${space}${close}`
  if (!line.includes('\n') && indent.length + line.length <= width) return line
  const lines = parts(deeper).map((part) => `${deeper}${part}`)
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** The file of a lock: the same text for the same design. */
export const lockText = (lock: Lock): string => `${textOf(lock, '')}\n`

/**
 * Reads the value that such a file holds.
 * @throws InvalidInput for what is no lock, or has a member that this version does not know
 */
export function readLock(value: unknown): Lock {
  const read = lockSchema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const at = issue?.path.join('.') ?? ''
  throw new FreeholdError('InvalidInput', `It is no lock of a design: ${at === '' ? '' : `${at}: `}${issue?.message}.`, { issues: [] })
}
