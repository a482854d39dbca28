import { type Attribute, isFreeholdError, list, record, text } from '@freehold/table'
import { tableKey } from '@freehold/table/runtime'
import { Permission, PermissionKey } from '../../design.ts'
import { partsWritten, permissionsMax } from '../../permission/patterns.ts'
import { type PermissionPattern, permissionParts } from '../../permission/permission.ts'

const triple = record({
  module: text().describe('The module: some text without `#`. Look-alikes are refused.'),
  action: text().describe('What is done: some text without `#`. Look-alikes are refused.'),
  resource: text().describe('With what it is done: some text. Look-alikes are refused.'),
})

interface Problem {
  readonly path?: readonly string[]
  readonly message: string
}

/** The reason why the catalogue can have no such entry; undefined if it can. */
function keyProblem(pattern: PermissionPattern): Problem | undefined {
  try {
    tableKey(PermissionKey, { ...pattern })
    return undefined
  } catch (error) {
    if (!isFreeholdError(error, 'InvalidKey')) throw error
    const { attribute } = error.details
    // The error tells the entity and the value, too; here the path does.
    const [, message = error.message] = /^PermissionKey\.\w+ (.*?)(?:: ".*)?$/su.exec(error.message) ?? []
    return { ...(attribute === undefined ? {} : { path: [attribute] }), message }
  }
}

function patternIn(value: unknown, isToBeStored: boolean): PermissionPattern | readonly Problem[] {
  const written = partsWritten(value)
  if (typeof written === 'string') return [{ message: written }]
  const read = permissionParts.map((part) => ({ part, result: Permission.attributes[part].schema.safeParse(written[part]) }))
  const problems = read.flatMap(({ part, result }) =>
    result.success ? [] : result.error.issues.map(({ message }): Problem => ({ path: [part], message })),
  )
  if (problems.length > 0) return problems
  const [module = '', action = '', resource = ''] = read.map(({ result }) => result.data)
  const pattern = { module, action, resource }
  const problem = isToBeStored ? keyProblem(pattern) : undefined
  return problem === undefined ? pattern : [problem]
}

function permissionAttribute(isToBeStored: boolean): Attribute<PermissionPattern, 'given'> {
  const schema = triple.schema
    // A value that is not a map of three parts may be their text.
    .catch(({ value }) => value as never)
    .transform((value: unknown, context): PermissionPattern => {
      const read = patternIn(value, isToBeStored)
      if ('module' in read) return read
      for (const { path = [], message } of read) context.issues.push({ code: 'custom', message, path: [...path], input: value })
      return { module: '', action: '', resource: '' }
    })
  return { ...triple, schema }
}

/**
 * Permissions that a role is to have, each three parts or the text `module:action:resource`, in which `*` alone stands for any: what the catalogue
 * could have, so that each can be linked, too.
 */
export const permissionsToGrant = list(permissionAttribute(true), { max: permissionsMax })

/** Permissions that a role is to lose: also such as no role is given any more. */
export const permissionsToWithdraw = list(permissionAttribute(false), { max: permissionsMax })
