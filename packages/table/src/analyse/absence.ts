import { finding } from './finding.ts'
import type { Check } from './survey.ts'

/**
 * An addition stands in no item that another program wrote by the document. Such an item must not be malformed, so each addition has a default, stands in a
 * key, or says what its absence means (spec rule 26).
 */
export const absences: Check = ({ entities, keys }) =>
  entities
    .filter(({ form: { part, addition } }) => addition === undefined && part.kind !== 'guard' && part.kind !== 'mirror')
    .flatMap((entity) =>
      Object.entries(entity.attributes).flatMap(([name, { why, presence, fill, absent }]) => {
        const mustBeThere = (presence === 'given' || presence === 'made') && fill === undefined && absent === undefined
        if (why === undefined || !mustBeThere) return []
        const own = keys.filter((key) => key.entity === entity)
        const stands = own.some(({ partition, sort }) => [partition, sort].some((part) => part.alternative.placeholders.includes(name)))
        if (stands) return []
        const message = `${entity.name}.${name} is an addition, and an item of another program lacks it. Give it a default, or say in addition() what its absence means.`
        return [finding('AbsenceUntold', entity.name, message, { attribute: name })]
      }),
    )
