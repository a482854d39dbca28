import type { Attribute, Issue } from '@freehold/table'
import type { AskedName } from '../../decision/decision.ts'
import type { Name } from '../../decision/lookup.ts'
import { type FieldOf, type FieldProblem, type FieldReader, nameOf, optionalText, readQuestion } from '../../decision/question.ts'
import { Permission as CatalogueEntry, Client, UserEmail } from '../design.ts'
import { type Permission, wildcard } from '../permission/permission.ts'

/** A place, as far as it goes: a building's or a project's id alone is enough, and costs one more round trip the first time. */
export interface PlaceQuestion {
  readonly client?: string
  readonly project?: string
  readonly building?: string
}
/** The place must have a module: a subscription of the building or its project that is active. */
export interface ModuleQuestion {
  readonly module_id?: string
  /** A trial counts as well. */
  readonly include_trial?: boolean
}
/** `can` and `why`: may this user do this here? */
export interface AccountAccessQuestion extends PlaceQuestion, ModuleQuestion {
  /** An id (UUID), or an e-mail address in any spelling. */
  readonly user: string
  /** Three names, or `module:action:resource` where no name holds a colon. */
  readonly permission: Permission | string
}
/** What may this user do here? */
export type AccountWhatQuestion = Omit<AccountAccessQuestion, 'permission'>
/** Who may do this here? */
export type AccountWhoQuestion = Omit<AccountAccessQuestion, 'user'>
/** Where may this user do this? With a module: at each place that has it. */
export type AccountWhereQuestion = Omit<AccountAccessQuestion, keyof PlaceQuestion>

/** What may this user do, at a place or, without one, everywhere? A module is asked for at a place only. */
export type AccountSnapshotQuestion = AccountWhatQuestion

export interface PlaceAsked {
  readonly client?: string | undefined
  readonly project?: string | undefined
  readonly building?: string | undefined
}
export interface ModuleAsked {
  readonly module_id: string | undefined
  readonly include_trial: boolean
}

/** Text of an attribute's kind, which no item can be called by where it is empty or holds a control character. */
function textOf(attribute: Attribute<string>): FieldReader<string> {
  return (text) => {
    const result = attribute.schema.safeParse(text)
    if (!result.success) return { problem: result.error.issues[0]?.message ?? 'is no such text' }
    if (result.data === '') return { problem: 'is empty' }
    return /\p{Cc}/u.test(result.data) ? { problem: 'holds a control character' } : result.data
  }
}

const isProblem = (read: unknown): read is FieldProblem => typeof read === 'object' && read !== null && 'problem' in read

const id = textOf(Client.attributes.id)
const email = nameOf(UserEmail, 'email')

const user: FieldReader<Name> = (text) => {
  const asId = id(text)
  if (!isProblem(asId)) return { by: 'id', text: asId }
  const asEmail = email(text)
  return isProblem(asEmail) ? { problem: 'is neither a UUID nor an e-mail address' } : { by: 'lookup', text: asEmail }
}

const partsOfText = (text: string): unknown => {
  const [module, action, resource, ...more] = text.split(':')
  return more.length > 0 || resource === undefined ? undefined : { module, action, resource }
}

/** Longer than the longest key that a permission of the catalogue could have. */
const partMax = 1024
const partNames = ['module', 'action', 'resource'] as const

/** A question never holds a wildcard (spec rule 21). */
function partProblem(part: string | FieldProblem): string | undefined {
  if (isProblem(part)) return part.problem
  if (part === wildcard) return 'is a wildcard: ask for what is to be done'
  return part.length > partMax ? `is longer than ${partMax} characters` : undefined
}

const permission: FieldOf<Permission, false> = {
  isOptional: false,
  read: (value) => {
    const given = typeof value === 'string' ? partsOfText(value) : value
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return { problem: 'is neither {module, action, resource} nor module:action:resource' }
    const foreign = Object.keys(given).find((name) => !partNames.some((part) => part === name))
    if (foreign !== undefined) return { problem: 'has a part that is none of module, action, resource' }
    const read: Record<string, string> = {}
    for (const name of partNames) {
      const text: unknown = Object.hasOwn(given, name) ? (given as Readonly<Record<string, unknown>>)[name] : undefined
      if (typeof text !== 'string') return { problem: `has no ${name} that is text` }
      const part = textOf(CatalogueEntry.attributes[name])(text)
      const problem = partProblem(part)
      if (problem !== undefined || isProblem(part)) return { problem: `has a ${name} that ${problem}` }
      read[name] = part
    }
    const { module = '', action = '', resource = '' } = read
    return { module, action, resource }
  },
}

/** True or false, also as the text that a CSV has. */
const include_trial: FieldOf<boolean, true> = {
  isOptional: true,
  read: (value) => {
    if (typeof value === 'boolean') return value
    return value === 'true' || value === 'false' ? value === 'true' : { problem: 'is not true or false' }
  },
}

const place = { client: optionalText(id), project: optionalText(id), building: optionalText(id) }
const module = { module_id: optionalText(id), include_trial }

export interface Access {
  readonly user: Name
  readonly place: PlaceAsked
  readonly permission: Permission
  readonly module: ModuleAsked
}

/** The fields of each question, in the order in which people say them. */
export const fields = {
  can: ['user', 'client', 'project', 'building', 'permission', 'module_id', 'include_trial'],
  why: ['user', 'client', 'project', 'building', 'permission', 'module_id', 'include_trial'],
  what: ['user', 'client', 'project', 'building', 'module_id', 'include_trial'],
  who: ['client', 'project', 'building', 'permission', 'module_id', 'include_trial'],
  where: ['user', 'permission', 'module_id', 'include_trial'],
  access: ['user', 'client', 'project', 'building', 'module_id', 'include_trial'],
} as const satisfies Record<AskedName, readonly string[]>

/** Those that a question may be without; of the place, one has to be there, but for `access`. */
export const optionalFields = ['client', 'project', 'building', 'module_id', 'include_trial'] as const

const placeNames = ['client', 'project', 'building'] as const

function placeProblems(place: Readonly<Record<string, unknown>>): readonly Issue[] {
  if (placeNames.some((name) => Object.hasOwn(place, name) && place[name] !== undefined)) return []
  return [{ path: ['client'], message: 'is missing: a question names a client, a project or a building' }]
}

const placeOf = ({ client, project, building }: PlaceAsked): PlaceAsked => ({ client, project, building })

const moduleOf = (read: { module_id?: string | undefined; include_trial?: boolean | undefined }): ModuleAsked => ({
  module_id: read.module_id,
  include_trial: read.include_trial ?? false,
})

export function accessAsked(question: 'can' | 'why', input: unknown): Access {
  const read = readQuestion(question, { user, ...place, permission, ...module }, input, placeProblems)
  return { user: read.user, permission: read.permission, place: placeOf(read), module: moduleOf(read) }
}
export function whatAsked(input: unknown): Omit<Access, 'permission'> {
  const read = readQuestion('what', { user, ...place, ...module }, input, placeProblems)
  return { user: read.user, place: placeOf(read), module: moduleOf(read) }
}
export function whoAsked(input: unknown): Omit<Access, 'user'> {
  const read = readQuestion('who', { ...place, permission, ...module }, input, placeProblems)
  return { permission: read.permission, place: placeOf(read), module: moduleOf(read) }
}
export function whereAsked(input: unknown): Omit<Access, 'place'> {
  const read = readQuestion('where', { user, permission, ...module }, input)
  return { user: read.user, permission: read.permission, module: moduleOf(read) }
}
export function snapshotAsked(input: unknown): Pick<Access, 'user' | 'module'> & { readonly place: PlaceAsked | undefined } {
  // What a client has is no subscription of its own, so that no scope says of all beneath it whether it has the module.
  const isWithModule = ({ module_id }: Readonly<Record<string, unknown>>) => module_id !== undefined
  const read = readQuestion('access', { user, ...place, ...module }, input, (given) => (isWithModule(given) ? placeProblems(given) : []))
  const hasPlace = placeNames.some((name) => read[name] !== undefined)
  return { user: read.user, place: hasPlace ? placeOf(read) : undefined, module: moduleOf(read) }
}
