import { readJson, utf8Text } from '@freehold/frame/reading'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { invalid } from './invalid.ts'

/** DynamoDB's limit of an item is 400 KB, so no question or item needs more than this. */
const bytes_max = 1 << 20

export type JsonObject = Readonly<Record<string, unknown>>

async function readStdin({ stdin }: Shell, what: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    bytes += chunk.length
    if (bytes > bytes_max) throw invalid(`${what} on stdin is longer than ${bytes_max} bytes.`)
    chunks.push(chunk)
  }
  return utf8Text(Buffer.concat(chunks), `${what} on stdin`)
}

const advice = `Write it like '{"name":"value"}', in single quotes.`

/** The parser's error for a person's text, without the text itself. */
export function whyMalformed(error: unknown, text: string): string {
  const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? []
  if (position === undefined) return 'it ends too early or is not JSON at all'
  const before = text.slice(0, Number(position)).split('\n')
  const line = before.length === 1 ? '' : `line ${before.length}, `
  return `the error is at ${line}character ${(before.at(-1) ?? '').length + 1}`
}

/**
 * Reads an argument with a JSON object. `-` reads it from stdin.
 * @param what the argument in words, for the error: `The question`
 * @throws InvalidInput if it is not JSON, is not an object, or has a name twice or a number that would be rounded.
 */
export async function readJsonObject(shell: Shell, argument: string | undefined, what: string): Promise<JsonObject> {
  const json = argument === '-' ? await readStdin(shell, what) : (argument ?? '')
  const read = readJson(json)
  if (read.problem !== undefined) {
    const { name, problem, cause } = read
    if (cause === undefined) throw invalid(name === undefined ? `${what} ${problem}.` : `${what} names '${safeText(name)}' twice.`)
    throw invalid(`${what} is not JSON: ${whyMalformed(cause, json)}. ${advice}`)
  }
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${what} is JSON, but not an object. ${advice}`)
  // An object from JSON.parse has text as names and JSON as values.
  return value as JsonObject
}
