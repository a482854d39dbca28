import { type Cedar, loadCedar, type PolicyForm } from './cedar.ts'
import type { CedarPolicy } from './policy-engine.ts'
import { type DeclaredSchema, declaredSchema } from './policy-schema.ts'
import { type ParsedPolicies, type PolicyFiles, type PolicySet, readPolicySet, versionOf } from './policy-set.ts'

/** Counted up by hand when `PackedPolicies` changes, or what is read or checked of policies does: a pack of another Freehold then has no effect. */
const format = 1

/** What was read of a folder of policies, parsed and validated, as JSON: a program that starts with it need not do that again. */
export interface PackedPolicies {
  readonly format: number
  /** The version of Cedar that read them. */
  readonly cedar: string
  /** The version of the files: what was packed of others does not count. */
  readonly version: string
  readonly policies: readonly CedarPolicy[]
  readonly templates: readonly CedarPolicy[]
  readonly parsed: ParsedPolicies
  readonly declared: DeclaredSchema
}

/** True of JSON whose numbers are as the text has them: JavaScript rounds whole numbers beyond 2^53. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

function formOf(toJson: Cedar['policyToJson'], { text }: CedarPolicy): PolicyForm {
  const answer = toJson(text)
  return answer.type === 'success' && isExact(answer.json) ? answer.json : text
}

/** Parses and validates the files of a folder, for `localEngine` of another process. Throws `InvalidInput`. */
export async function packPolicies(files: PolicyFiles): Promise<PackedPolicies> {
  const cedar = await loadCedar()
  const { version, policies, templates, links, schema } = await readPolicySet(files)
  const read = cedar.schemaToJson(schema)
  if (read.type === 'failure') throw new Error(read.errors[0]?.message)
  const own = [...policies.values()].filter(({ id }) => !links.has(id))
  const forms = (of: readonly CedarPolicy[], toJson: Cedar['policyToJson']) =>
    Object.fromEntries(of.map((each) => [each.id, formOf(toJson, each)]))
  return {
    ...{ format, cedar: cedar.getCedarVersion(), version },
    ...{ policies: [...policies.values()], templates: [...templates.values()] },
    parsed: {
      schema: read.json,
      policies: forms(own, cedar.policyToJson),
      templates: forms([...templates.values()], cedar.templateToJson),
    },
    declared: declaredSchema(cedar, schema),
  }
}

/** The set that was packed of these files, by this Cedar and in this format; undefined for another, and for one with a policy that is not in its file. */
export function unpackedPolicies(cedar: Cedar, files: PolicyFiles, packed: PackedPolicies): PolicySet | undefined {
  const { cedar: by, version, policies, templates, parsed, declared } = packed
  if (packed.format !== format || by !== cedar.getCedarVersion() || version !== versionOf(files)) return undefined
  if ([...policies, ...templates].some(({ file, text }) => !files.policies.get(file)?.includes(text))) return undefined
  const byId = <T extends { readonly id: string }>(all: readonly T[]) => new Map(all.map((each) => [each.id, each]))
  return {
    ...{ version, schema: files.schema, parsed, declared },
    ...{ policies: byId(policies), templates: byId(templates), links: byId(files.links ?? []) },
  }
}
