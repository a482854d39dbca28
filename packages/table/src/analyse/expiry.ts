import { finding } from './finding.ts'
import type { Check } from './survey.ts'

/** The `ttl` of an item is computed from an instant (spec rule 15). */
export const expiry: Check = ({ entities }) =>
  entities.flatMap(({ name, attributes, form }) => {
    const kind = form.expires === undefined ? undefined : attributes[form.expires]?.kind.name
    if (form.expires === undefined || kind === 'instant') return []
    const message = `${name} expires by '${form.expires}', which is ${kind === undefined ? 'not among its attributes' : `of the kind ${kind}`}. Make it an instant.`
    return [finding('ExpiresNotInstant', name, message, { attribute: form.expires })]
  })
