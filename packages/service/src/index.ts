export { type Algorithm, type Issuer, readIssuers, type TokenOptions, type UserOfToken } from '@freehold/frame/issuers'
export { type AdmissionLimits, admissionUnlessGiven, type FrontLoad, type Refusals } from './admission/front.ts'
export type { RelyingParty } from './console-sign-in/sign-in-port.ts'
export type { Environment } from './environment.ts'
export type { AccessLine, Log } from './http/access-log.ts'
export type { Cause } from './http/cause.ts'
export {
  type ApiKeys,
  type KeyEntry,
  type KeysOptions,
  type KeyToMake,
  type NewKey,
  openKeys,
  type Rotation,
} from './keys/api-keys.ts'
export type { Opened as ConsoleOpened } from './keys/browser-sessions.ts'
export type { ConsoleSessions, SessionEntry } from './keys/console-sessions.ts'
export { serviceDesign } from './keys/design.ts'
export { checkKeyDesigns } from './keys/key-designs.ts'
export { type KeyLimits, type Purpose, purposes, type VerifiedKey } from './keys/purpose.ts'
export { type DeployedFunctions, deployedFunctions } from './lambda/deployed-functions.ts'
export { deployedService } from './lambda/deployed-service.ts'
export { type DeployedTables, type DeployingOptions, deployedTables, serviceVariables } from './lambda/deployed-tables.ts'
export { type GatewayAnswer, lambdaService } from './lambda/lambda-service.ts'
export { scheduledWork, type Work } from './lambda/scheduled-work.ts'
export { type Bound, sharePort } from './node/port.ts'
export type { AskingRequest, DecisionLine, DecisionLog } from './operations/decision-log.ts'
export { type LineQueue, lineQueue } from './operations/line-queue.ts'
export { jsonLog, type LineLevel, type LogLevel, type LogOptions, logLevels, openLog, type Say, type ServerLog } from './operations/log.ts'
export { createMetrics, type ServiceMetrics } from './operations/metrics.ts'
export { rotatedFile, rotatedPaths } from './operations/rotated-file.ts'
export { type MetricsText, serveMetrics } from './operations/serve-metrics.ts'
export { type CountedMetrics, keptMetrics, summedMetrics } from './operations/summed-metrics.ts'
export type { TriedQuestion } from './routes/design.ts'
export { type Serveable, type Serving, serveOnNode } from './serve-on-node.ts'
export type { Served } from './served.ts'
export { createService, type Limits, type Service, type ServiceOptions } from './service.ts'
export { type LinkMails, linkMails } from './sign-in/link-mail.ts'
export type { SignInPages } from './sign-in/routes.ts'
export { throttleOn } from './sign-in/throttle.ts'
