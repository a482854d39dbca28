/** The template that deploys the service at AWS. */
export { type ServiceTemplateOptions, serviceSam } from './service-sam.ts'
