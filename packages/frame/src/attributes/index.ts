/** Attributes of several designs. They stand apart from all else, so that a design is typed without it. */

export { changeAttributes, changeContent, changesOfActorKey, keptChangeAttributes } from '../flow/records/change-attributes.ts'
export { auditAttributes } from '../mail/audit-attributes.ts'
export { intentAttributes } from '../mail/intent-attributes.ts'
export { provisioningAttributes } from '../provisioning/provisioning-attributes.ts'
export { identityNames, identityProviders, signInReasons, unlinkedProviders } from './identity.ts'
export { created, stamps, uniqueName, untold } from './stamps.ts'
