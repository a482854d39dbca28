import type { Endpoint } from '../engine/endpoint.ts'

/** The place of the data, in words. */
export function placeWords(endpoint: Endpoint): string {
  if (endpoint.kind === 'aws') return `from DynamoDB in ${endpoint.region}`
  if (endpoint.kind === 'endpoint') return `from ${endpoint.endpoint}`
  return endpoint.memory ? 'with its data in memory' : `with its data in ${endpoint.directory}`
}

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** The prefix by which a command in another terminal uses the same data: an assignment and a space, or nothing. Data in memory has none. */
export function assignmentFor(endpoint: Endpoint, isDefaultFolder: boolean): string {
  if (endpoint.kind === 'aws') return ''
  if (endpoint.kind === 'endpoint') {
    const { from = 'DYNAMODB_ENDPOINT' } = endpoint
    // A profile is the same in another terminal.
    return from.includes(' ') ? '' : `${from}=${quoted(endpoint.endpoint)} `
  }
  return endpoint.memory || isDefaultFolder ? '' : `FREEHOLD_DATA=${quoted(endpoint.directory)} `
}
