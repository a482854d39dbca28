import { type PolicyFiles, packPolicies } from '@freehold/frame/cedar'
import { authorizerMapOf } from '../map/map-of.ts'
import { readYaml } from '../map/read-map.ts'
import { type PackedAuthorizer, versionOfText } from './packed-authorizer.ts'

/**
 * Reads and checks what a function is deployed with, so that it starts without doing that again.
 * @param map the text of the map
 * @throws InvalidInput if the map or the policies are wrong
 */
export async function packAuthorizer(map: string, policies: PolicyFiles): Promise<PackedAuthorizer> {
  const value = readYaml(map)
  authorizerMapOf(value)
  return { map: { version: versionOfText(map), value }, policies: await packPolicies(policies) }
}
