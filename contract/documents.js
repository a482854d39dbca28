// What a client of any language needs to know of an operation to call it.

/** `rebac.query.pages` and `rebac: AuthZEN` as `RebacQueryPages` and `RebacAuthZEN`. */
export const pascal = (name) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** `RebacAuthZEN` as `rebac_auth_zen`. */
export const snake = (name) =>
  pascal(name)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()

/**
 * The calls of one client, with what the document says of each operation.
 * @param document of one design
 * @param calls of the table, in which `$client` is the name of the client, and `$other` a member of the answer before
 */
export function callsOf(document, calls, client) {
  const operations = new Map()
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, told] of Object.entries(methods)) operations.set(told.operationId, { method, path, told })
  return JSON.parse(JSON.stringify(calls).replaceAll('$client', client)).map((each) => {
    const { method, path, told } = operations.get(each.call)
    const { $ref = '' } = told.requestBody?.content['application/json'].schema ?? {}
    const takesParameters = (told.parameters ?? []).length > 0
    return { ...each, method, path, tag: told.tags[0], schema: $ref.slice($ref.lastIndexOf('/') + 1), takesParameters }
  })
}
