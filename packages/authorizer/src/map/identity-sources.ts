import type { AuthorizerMap, Mapped } from './authorizer-map.ts'
import { type TextTemplate, variablesOf } from './text-template.ts'

const header = (name: string) => ({ what: `the header ${name}`, sources: [`method.request.header.${name}`, `$request.header.${name}`] })

/**
 * Which parts of the question the gateway does not keep an answer by: sentences without their subject. A gateway gives a kept answer to each request with
 * the same identity sources, so that whatever differs between questions must be among them.
 */
export function missingIdentity(
  { cache, tenant, routes, fields }: AuthorizerMap,
  templatesOf: (mapped: Mapped) => readonly TextTemplate[],
): readonly string[] {
  if (cache.ttl_s === 0) return []
  // AppSync keeps an answer by the token alone.
  if (fields.size > 0) return ['are not those of AppSync, which keeps an answer by the token alone: let ttl_s be 0']
  const variables = routes.flatMap(templatesOf).flatMap(variablesOf)
  const headers = new Set(variables.flatMap(({ from, name }) => (from === 'header' ? [name] : [])))
  if (tenant.header !== undefined) headers.add(tenant.header)
  const needed = [
    { ...header('authorization'), what: 'the token' },
    { what: 'the method', sources: ['context.httpMethod', '$context.httpMethod'] },
    { what: 'the path', sources: ['context.path', '$context.path'] },
    ...[...headers].map(header),
    ...(tenant.host === undefined ? [] : [{ what: 'the host', sources: ['context.domainName', '$context.domainName'] }]),
  ]
  const given = new Set(cache.identity.map((source) => source.toLowerCase()))
  return needed.flatMap(({ what, sources }) => {
    const isGiven = sources.some((source) => given.has(source.toLowerCase()))
    return isGiven ? [] : [`lack ${what}: add ${sources.join(' or ')}`]
  })
}
