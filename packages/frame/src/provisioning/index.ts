/** Many items step by step, as a durable job that may be repeated. */
export { allEnsured, itemEnsured, type ProvisioningStep, provisioningJob, type StepReport } from './provision.ts'
