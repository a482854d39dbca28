import { parse, YAMLError } from 'yaml'
import type { AuthorizerMap } from './authorizer-map.ts'
import { authorizerMapOf, invalidMap } from './map-of.ts'

/** Reads YAML. Throws `InvalidInput` for text that is none. */
export function readYaml(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof YAMLError)) throw error
    throw invalidMap([{ path: [], message: `is not YAML: ${error.message}` }])
  }
}

/**
 * Reads the map of an authorizer and checks all of it.
 * @throws InvalidInput if a part of it is missing, malformed, or would let an answer outlive its question
 */
export const readAuthorizerMap = (text: string): AuthorizerMap => authorizerMapOf(readYaml(text))
