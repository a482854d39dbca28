import { type Attribute, isFreeholdError, list, record, text } from '@freehold/table'
import { tableKey } from '@freehold/table/runtime'
import { Permission, PermissionKey } from '../../design.ts'
import { type PermissionPattern, permissionsMax } from './permission-pattern.ts'

const parts = ['module', 'action', 'resource'] as const
const triple = record({ module: text(), action: text(), resource: text() })

interface Problem {
  readonly path?: readonly string[]
  readonly message: string
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As a question takes it: three names, or their text where no name holds a colon. */
function partsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'string') return isObject(value) ? value : undefined
  const [module, action, resource, ...more] = value.split(':')
  return resource === undefined || more.length > 0 ? undefined : { module, action, resource }
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
  const said = partsOf(value)
  if (said === undefined) return [{ message: 'is neither {module, action, resource} nor module:action:resource' }]
  const foreign = Object.keys(said).filter((name) => !parts.some((part) => part === name))
  if (foreign.length > 0) return [{ message: 'has a part that is none of module, action, resource' }]
  const read = parts.map((part) => ({ part, result: Permission.attributes[part].schema.safeParse(said[part]) }))
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
