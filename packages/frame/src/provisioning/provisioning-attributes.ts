import { list, oneOf, record, text } from '@freehold/table'

// Apart from the flows that use them, so that a design is typed without these.

const outcome = oneOf('done', 'done before', 'differs', 'skipped', 'failed').describe('How the step went.')

/** The attributes of an entity that keeps what a provisioning has done. The design adds those of its key. */
export const provisioningAttributes = {
  job: text().describe('The durable job that provisions it.'),
  steps: list(
    record({
      step: text().describe('What the step makes.'),
      outcome,
      reason: text().optional().describe('Why it was skipped, differs, or has failed.'),
    }),
  ).describe('What was done, step by step.'),
}
