/** The template that deploys the service at AWS. */

export { type BundledDesign, serviceBundle } from './service-bundle.ts'
export { type ServiceTemplateOptions, serviceSam } from './service-sam.ts'
