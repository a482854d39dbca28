import { createHash } from 'node:crypto'
import type { Issue } from '@freehold/table'
import { compareKeys } from '@freehold/table/runtime'
import type { Cedar } from './cedar.ts'
import type { CedarPolicy } from './policy-engine.ts'

/** The texts of a folder of policies. */
export interface PolicyFiles {
  /** The text of each file of policies, by its name. */
  readonly policies: ReadonlyMap<string, string>
  /** The schema in Cedar's own form. */
  readonly schema: string
}

export const schemaFile = 'schema.cedarschema'

/** Policies that parse and fit the schema. */
export interface PolicySet {
  readonly version: string
  readonly policies: ReadonlyMap<string, CedarPolicy>
  readonly schema: string
}

interface Located {
  readonly message: string
  readonly help?: string | null
  readonly sourceLocations?: readonly { readonly start: number }[]
}

/** Cedar counts bytes of UTF-8. */
const lineOf = (text: string, bytes: number) => Buffer.from(text).subarray(0, bytes).toString().split('\n').length

/** An error of Cedar, with the line of `text` that it names; `before` lines of the file come first. */
function issueOf(file: string, text: string, { message, help, sourceLocations = [] }: Located, before = 0): Issue {
  const [first] = sourceLocations
  const at = first === undefined ? file : `${file}:${before + lineOf(text, first.start)}`
  return { path: [at], message: help === null || help === undefined ? message : `${message} (${help})` }
}

/** The lines of a file that stand before one of its policies, whose text Cedar gives as it stands in the file. */
const linesBefore = (text: string, policy: string) => text.slice(0, Math.max(0, text.indexOf(policy))).split('\n').length - 1

/** The policies of one file, and what is wrong with it. */
function policiesOf(
  cedar: Cedar,
  file: string,
  text: string,
): { readonly policies: readonly CedarPolicy[]; readonly issues: readonly Issue[] } {
  const parts = cedar.policySetTextToParts(text)
  if (parts.type === 'failure') return { policies: [], issues: parts.errors.map((error) => issueOf(file, text, error)) }
  const policies: CedarPolicy[] = []
  const issues = parts.policy_templates.map((template): Issue => {
    return { path: [`${file}:${linesBefore(text, template) + 1}`], message: 'is a template, which nothing links' }
  })
  for (const policy of parts.policies) {
    const path = [`${file}:${linesBefore(text, policy) + 1}`]
    const read = cedar.policyToJson(policy)
    if (read.type === 'failure') {
      issues.push(...read.errors.map(({ message }) => ({ path, message })))
      continue
    }
    const { effect, annotations = {} } = read.json
    const told = Object.fromEntries(Object.entries(annotations).map(([name, value]) => [name, value ?? '']))
    if (told.id) policies.push({ id: told.id, effect, annotations: told, text: policy, file })
    else issues.push({ path, message: 'has no @id, by which decisions and cases name a policy' })
  }
  return { policies, issues }
}

/** The same text has the same version. */
export function versionOf({ policies, schema }: PolicyFiles): string {
  const sorted = [...policies].sort(([one], [other]) => compareKeys(one, other))
  return createHash('sha256')
    .update(JSON.stringify([schema, sorted]))
    .digest('hex')
}

/** Parses policies and validates them against their schema. If there are issues, the set is not to be used. */
export function parsePolicies(cedar: Cedar, files: PolicyFiles): { readonly set: PolicySet; readonly issues: readonly Issue[] } {
  const issues: Issue[] = []
  const policies = new Map<string, CedarPolicy>()
  for (const [file, text] of files.policies) {
    const read = policiesOf(cedar, file, text)
    issues.push(...read.issues)
    for (const policy of read.policies) {
      const taken = policies.get(policy.id)
      if (taken === undefined) policies.set(policy.id, policy)
      else issues.push({ path: [file], message: `has another policy with @id("${policy.id}"), which stands in ${taken.file}, too` })
    }
  }
  const set = { version: versionOf(files), policies, schema: files.schema }
  const schema = cedar.checkParseSchema(files.schema)
  if (schema.type === 'failure') {
    issues.push(...schema.errors.map((error) => issueOf(schemaFile, files.schema, error)))
    return { set, issues }
  }
  const staticPolicies = textsById(set)
  const validated = cedar.validate({ schema: files.schema, policies: { staticPolicies } })
  if (validated.type === 'failure') issues.push(...validated.errors.map(({ message }) => ({ path: [], message })))
  else
    for (const { policyId, error } of validated.validationErrors) {
      const { file = '', text = '' } = policies.get(policyId) ?? {}
      issues.push(issueOf(file, text, error, linesBefore(files.policies.get(file) ?? '', text)))
    }
  return { set, issues }
}

export const textsById = ({ policies }: PolicySet): Record<string, string> =>
  Object.fromEntries([...policies].map(([id, { text }]) => [id, text]))
