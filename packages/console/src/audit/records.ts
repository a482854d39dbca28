import { plain, type ToldDesign, type ToldPattern, textOf, type Values } from '../app/told.ts'
import { partsOfMails } from './platform/mails.ts'

/** The access patterns that list what happened: items that nobody changes. */
export const recordPatterns = ({ form }: ToldDesign): readonly (readonly [string, ToldPattern])[] =>
  Object.entries(form.patterns).filter(
    ([, { operation, returns }]) =>
      operation === 'query' && returns.every((each) => form.entities[form.entities[each]?.owner ?? each]?.appendOnly === true),
  )

/** A record as a sentence needs it. Each design calls its parts by names of its own. */
export interface Told {
  readonly at: string | undefined
  readonly act: string
  /** Who did it: the id of a user, or another actor in words. */
  readonly by: string
  readonly entity: string | undefined
  readonly id: string | undefined
  readonly changes: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[]
  readonly severity: string | undefined
  readonly status: string | undefined
  readonly from: string | undefined
}

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
const mapOf = (value: unknown): Values => (isMap(value) ? value : {})
const first = (record: Values, names: readonly string[]): string | undefined => {
  const name = names.find((each) => record[each] !== undefined && record[each] !== null && record[each] !== '')
  return name === undefined ? undefined : textOf(record[name])
}

/** A record, read by the names that the designs give its parts. */
export function toldOf(record: Values): Told {
  const more = mapOf(record.metadata)
  const from = mapOf(record.from)
  const operator = more.operator === undefined ? undefined : `operator ${textOf(more.operator)}`
  return {
    at: first(record, ['changedAt', 'timestamp', partsOfMails.at, 'created_at', 'createdAt']),
    act: first(record, ['flow', 'action', partsOfMails.act]) ?? 'something',
    by: first(record, ['actor', 'by', 'user_id']) ?? operator ?? first(record, [partsOfMails.by]) ?? 'somebody',
    entity: first(record, ['entity_type', 'entity', 'item', partsOfMails.to]),
    id: first(record, ['entity_id', 'entityId']),
    changes: Object.entries(mapOf(record.changes ?? more.changes)).flatMap(([name, change]) =>
      isMap(change) ? [{ name, before: change.before, after: change.after }] : [],
    ),
    severity: first(record, ['severity']),
    status: first(record, ['status', partsOfMails.status]),
    from: first(record, ['ip_address']) ?? first(from, ['ip_address', 'via']),
  }
}

/** The entity of people. */
export const subjectOf = ({ form, access }: ToldDesign): string | undefined =>
  access?.subject ?? (form.entities.User === undefined ? undefined : 'User')

/** The entity whose id a parameter is. Who acts is a person. */
export function entityOfParameter(design: ToldDesign, name: string): string | undefined {
  if (name === 'actor') return subjectOf(design)
  return Object.keys(design.form.entities).find((entity) => plain(name) === `${plain(entity)}id`)
}
