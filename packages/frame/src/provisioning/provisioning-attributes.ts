import { list, oneOf, record, text } from '@freehold/table'

// Apart from the flows that use them, so that a design is typed without these.

const outcome = oneOf('done', 'done before', 'differs', 'skipped', 'failed')

/** The attributes of an entity that keeps what a provisioning has done. The design adds those of its key. */
export const provisioningAttributes = { job: text(), steps: list(record({ step: text(), outcome, reason: text().optional() })) }
