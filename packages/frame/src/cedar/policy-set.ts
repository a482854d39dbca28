import { createHash } from 'node:crypto'
import type { Issue } from '@freehold/table'
import { compareKeys, invalidInput } from '@freehold/table/runtime'
import { type Cedar, loadCedar, type PolicyForm } from './cedar.ts'
import type { CedarPolicy, EntityUid } from './policy-engine.ts'
import type { DeclaredSchema } from './policy-schema.ts'

/** A policy that is a template with its placeholders filled. */
export interface PolicyLink {
  /** Unique among policies and links. */
  readonly id: string
  /** The `@id` of the template. */
  readonly template: string
  readonly principal?: EntityUid | undefined
  readonly resource?: EntityUid | undefined
}

/** The texts of policies with their schema. Who decides by a folder reads it, and makes this of its texts by `policyFiles`. */
export interface PolicyFiles {
  /** The text of each file of policies, by its name. */
  readonly policies: ReadonlyMap<string, string>
  /** The schema in Cedar's own form. */
  readonly schema: string
  readonly links?: readonly PolicyLink[] | undefined
}

/** The name of the file with the schema. */
export const schemaFile = 'schema.cedarschema'

/** Policies that parse and fit the schema. */
export interface PolicySet {
  readonly version: string
  /** Links among them, with the text of their template. */
  readonly policies: ReadonlyMap<string, CedarPolicy>
  readonly templates: ReadonlyMap<string, CedarPolicy>
  readonly links: ReadonlyMap<string, PolicyLink>
  readonly schema: string
  /** The same as Cedar's JSON, of a set that was packed. */
  readonly parsed?: ParsedPolicies
  /** What the schema declares, of a set that was packed. */
  readonly declared?: DeclaredSchema
}

/** Policies and their schema in Cedar's JSON form, which is read in half the time. A policy without one stands as its text. */
export interface ParsedPolicies {
  readonly schema: object
  readonly policies: Readonly<Record<string, PolicyForm>>
  readonly templates: Readonly<Record<string, PolicyForm>>
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

/** The policies and templates of one file, and what is wrong with it. */
function policiesOf(cedar: Cedar, file: string, text: string) {
  const parts = cedar.policySetTextToParts(text)
  const issues: Issue[] = parts.type === 'failure' ? parts.errors.map((error) => issueOf(file, text, error)) : []
  const read = (texts: readonly string[], toJson: Cedar['policyToJson']): readonly CedarPolicy[] =>
    texts.flatMap((policy) => {
      const path = [`${file}:${linesBefore(text, policy) + 1}`]
      const answer = toJson(policy)
      if (answer.type === 'failure') {
        issues.push(...answer.errors.map(({ message }) => ({ path, message })))
        return []
      }
      const { effect, annotations = {} } = answer.json
      const told = Object.fromEntries(Object.entries(annotations).map(([name, value]) => [name, value ?? '']))
      if (told.id?.trim()) return [{ id: told.id, effect, annotations: told, text: policy, file }]
      issues.push({ path, message: 'has no @id, by which decisions and cases name a policy' })
      return []
    })
  const { policies: found, policy_templates: templates } = parts.type === 'failure' ? { policies: [], policy_templates: [] } : parts
  return { policies: read(found, cedar.policyToJson), templates: read(templates, cedar.templateToJson), issues }
}

/** The same text has the same version. */
export function versionOf({ policies, schema, links = [] }: PolicyFiles): string {
  const sorted = [...policies].sort(([one], [other]) => compareKeys(one, other))
  return createHash('sha256')
    .update(JSON.stringify([schema, sorted, links]))
    .digest('hex')
}

const slots = ['principal', 'resource'] as const

/** Why a link does not fill its template. Cedar's own message names no link. */
function misfitOf(cedar: Cedar, link: PolicyLink, { id, text }: CedarPolicy): string | undefined {
  const answer = cedar.templateToJson(text)
  if (answer.type === 'failure') return undefined // told where the template is read
  for (const slot of slots) {
    // Within a text of JSON its quotes would be escaped.
    const isOpen = JSON.stringify(answer.json[slot]).includes(`"slot":"?${slot}"`)
    if (isOpen === (link[slot] !== undefined)) continue
    return isOpen
      ? `lacks a ${slot}, which its template ${JSON.stringify(id)} wants for ?${slot}`
      : `has a ${slot}, and its template ${JSON.stringify(id)} has no ?${slot}`
  }
  return undefined
}

/** Adds the links, as policies, and tells what is wrong with them. */
function addLinks(
  cedar: Cedar,
  links: readonly PolicyLink[],
  templates: ReadonlyMap<string, CedarPolicy>,
  policies: Map<string, CedarPolicy>,
): Issue[] {
  const issues: Issue[] = []
  for (const link of links) {
    const { id, template: name } = link
    const template = templates.get(name)
    if (template === undefined) issues.push({ path: [id], message: `links ${JSON.stringify(name)}, which is no template` })
    else if (policies.has(id) || templates.has(id)) issues.push({ path: [id], message: 'is the id of another policy, too' })
    else {
      const misfit = misfitOf(cedar, link, template)
      if (misfit === undefined) policies.set(id, { ...template, id })
      else issues.push({ path: [id], message: misfit })
    }
  }
  return issues
}

/** Parses policies and validates them against their schema. If there are issues, the set is not to be used. */
export function parsePolicies(cedar: Cedar, files: PolicyFiles): { readonly set: PolicySet; readonly issues: readonly Issue[] } {
  const issues: Issue[] = []
  const [policies, templates] = [new Map<string, CedarPolicy>(), new Map<string, CedarPolicy>()]
  for (const [file, text] of files.policies) {
    const read = policiesOf(cedar, file, text)
    issues.push(...read.issues)
    for (const [kind, found] of [
      [policies, read.policies],
      [templates, read.templates],
    ] as const)
      for (const policy of found) {
        const taken = policies.get(policy.id) ?? templates.get(policy.id)
        if (taken === undefined) kind.set(policy.id, policy)
        else issues.push({ path: [file], message: `has another policy with @id("${policy.id}"), which stands in ${taken.file}, too` })
      }
  }
  const { links = [] } = files
  issues.push(...addLinks(cedar, links, templates, policies))
  for (const { id, file, text } of templates.values())
    if (!links.some(({ template }) => template === id))
      issues.push({
        path: [`${file}:${linesBefore(files.policies.get(file) ?? '', text) + 1}`],
        message: 'is a template, which nothing links',
      })
  const linked = links.filter(({ id, template }) => templates.has(template) && policies.has(id))
  const set = {
    version: versionOf(files),
    policies,
    templates,
    links: new Map(linked.map((link) => [link.id, link])),
    schema: files.schema,
  }
  const schema = cedar.checkParseSchema(files.schema)
  if (schema.type === 'failure') {
    issues.push(...schema.errors.map((error) => issueOf(schemaFile, files.schema, error)))
    return { set, issues }
  }
  const validated = cedar.validate({ schema: files.schema, policies: policiesForCedar(set) })
  if (validated.type === 'failure') issues.push(...validated.errors.map(({ message }) => ({ path: [], message })))
  else
    for (const { policyId, error } of validated.validationErrors) {
      const { file = '', text = '' } = policies.get(policyId) ?? templates.get(policyId) ?? {}
      issues.push(issueOf(file, text, error, linesBefore(files.policies.get(file) ?? '', text)))
    }
  return { set, issues }
}

/** The policies as Cedar takes them. */
export function policiesForCedar({ policies, templates, links, parsed }: PolicySet) {
  const texts = (of: ReadonlyMap<string, CedarPolicy>) =>
    Object.fromEntries([...of].map(([id, { text }]): [string, PolicyForm] => [id, text]))
  const linked = [...links.values()].map(({ id, template, principal, resource }) => ({
    ...{ newId: id, templateId: template },
    values: { ...(principal && { '?principal': principal }), ...(resource && { '?resource': resource }) },
  }))
  return {
    staticPolicies: parsed?.policies ?? texts(new Map([...policies].filter(([id]) => !links.has(id)))),
    templates: parsed?.templates ?? texts(templates),
    templateLinks: linked,
  }
}

/** Reads policies that parse and fit their schema. Throws `InvalidInput` for others. */
export async function readPolicySet(files: PolicyFiles): Promise<PolicySet> {
  const { set, issues } = parsePolicies(await loadCedar(), files)
  if (issues.length > 0) throw invalidInput('The policies', issues)
  return set
}
