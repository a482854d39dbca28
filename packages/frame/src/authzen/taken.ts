import { invalidInput } from '@freehold/table/runtime'
import type { Reason } from '../decision/decision.ts'
import { problemWithin } from './flawed.ts'
import type { AuthzenMapping, Naming, Taken } from './mapping.ts'
import type { Evaluation, Named, SearchKind } from './request.ts'

/** The fields of the parts together, and what the design does not use of them. */
function fieldsOf(
  mapping: AuthzenMapping,
  { subject, action, resource, context }: Evaluation,
  subjects: Naming<Named>,
  resources: Naming<Named>,
  searched: SearchKind | undefined,
): Taken {
  const taken = mapping.context?.(context) ?? { fields: {}, unused: Object.keys(context) }
  const unusedOf = (path: string, properties: object, { takesProperties }: Pick<Naming<never>, 'takesProperties'>) =>
    takesProperties === true ? [] : Object.keys(properties).map((name) => `${path}.properties.${name}`)
  return {
    question: {
      ...taken.fields,
      ...(searched === 'subject' ? {} : subjects.asked?.(subject)),
      ...(searched === 'action' ? {} : mapping.action.asked?.(action)),
      ...(searched === 'resource' ? {} : resources.asked?.(resource)),
    },
    unused: [
      ...unusedOf('subject', subject.properties, subjects),
      ...unusedOf('action', action.properties, mapping.action),
      ...unusedOf('resource', resource.properties, resources),
      ...taken.unused.map((name) => `context.${name}`),
    ],
  }
}

const quotedMax = 100

/** A value of a request in a sentence, of which it is the smaller part. */
export const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? ''
  return text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text
}

const unknownType = (what: string, type: string): Reason => ({
  kind: 'unknown',
  code: `Unknown${what}`,
  message: `There is no ${what.toLowerCase()} of the type ${quoted(type)} here.`,
})

/** Refuses a member that is used and cannot be read exactly. What is not used may hold anything (spec rule 28). */
function refuseFlawed({ subject, action, resource, context }: Evaluation, unused: readonly string[]): void {
  const open = {
    'subject.properties': subject.properties,
    'action.properties': action.properties,
    'resource.properties': resource.properties,
    context,
  }
  const issues = Object.entries(open).flatMap(([path, members]) =>
    Object.entries(members).flatMap(([name, value]) => {
      const message = problemWithin(value)
      return message === undefined || unused.includes(`${path}.${name}`) ? [] : [{ path: [...path.split('.'), name], message }]
    }),
  )
  if (issues.length > 0) throw invalidInput('The request', issues)
}

/** The question of an evaluation, or of a search. Without one the reason says which type the design does not have. */
export async function takenOf(mapping: AuthzenMapping, asked: Evaluation, searched?: SearchKind): Promise<Taken> {
  const { subject, resource } = asked
  const [subjects, resources] = [mapping.subject(subject.type), mapping.resource(resource.type)]
  if (subjects === undefined) return { question: {}, unused: [], reason: unknownType('Subject', subject.type) }
  if (resources === undefined) return { question: {}, unused: [], reason: unknownType('Resource', resource.type) }
  const taken = (await mapping.question?.(asked, searched)) ?? fieldsOf(mapping, asked, subjects, resources, searched)
  refuseFlawed(asked, taken.unused)
  return taken
}
