import { checking, type Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { Evidence } from '../../decision/decision.ts'
import type { BasisItem } from './permission-basis.ts'

/** An entity whose items allow something, the kind of its items, and the values with which one allows. */
type Allowing = readonly [entity: Entity, kind: BasisItem['kind'], where?: Readonly<Record<string, unknown>>]

type Step = Pick<Evidence, 'entity' | 'id' | 'state' | 'as'>
/** The item of a chain by which something is allowed: it is there, and is as it was read, when the write is applied. Undefined for evidence that names none. */
export type BasisOf = (evidence: Step, chain?: readonly Step[]) => BasisItem | undefined

/**
 * Finds the item of the permission basis that a step of evidence is.
 * @param entities those of the chain but for user and tenant, which the host's own checks are of
 */
export function evidenceBasis(...entities: readonly Allowing[]): BasisOf {
  const byName = new Map(entities.map((each) => [each[0].name, each]))
  return ({ entity: name, id, state, as = {} }) => {
    const [entity, kind, values] = byName.get(name) ?? []
    if (state !== 'found' || entity === undefined || kind === undefined) return undefined
    const placeholders = keyPlaceholders(entity)
    if (placeholders.some((placeholder) => id[placeholder] === undefined)) return undefined
    const { version, ...read } = as
    const how = { where: { ...values, ...read }, version: typeof version === 'number' ? version : undefined }
    // Ids come from decisions, whose evidence is text: the check refuses an id that is none.
    const check = checking(entity, id as never, how as never)
    return { kind, name: [name, ...placeholders.map((placeholder) => id[placeholder]), ...Object.keys(as)].join(' '), check }
  }
}
