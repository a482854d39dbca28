/** An authorizer in front of an API: it verifies tokens, maps requests to questions of the authorization design, and denies unless they are allowed. */
export { secretOf, type TokenSecret } from '@freehold/frame/issuers'
export {
  type Allowed,
  type Authorizer,
  type AuthorizerOptions,
  createAuthorizer,
  type Decision,
  type Denied,
} from './deciding/authorizer.ts'
export type { AskedOperation, AskedRoute, AuthorizerRequest, GatewayRoute } from './deciding/authorizer-request.ts'
export { type AskedLine, type DecisionLine, type DecisionLog, jsonLog } from './deciding/decision-log.ts'
export { authorizerVariables, type Environment } from './environment.ts'
export { type AppSyncAnswer, appSyncAuthorizer } from './lambda/appsync.ts'
export { deployedAuthorizer, handlerByStore, httpAnswersOf, type OpenStore } from './lambda/deployed-authorizer.ts'
export { httpApiAuthorizer, httpApiIamAuthorizer, type SimpleAnswer } from './lambda/http-api.ts'
export type { IamAnswer } from './lambda/iam-answer.ts'
export { type LambdaAnswer, type LambdaOptions, lambdaAuthorizer } from './lambda/lambda-authorizer.ts'
export { packAuthorizer } from './lambda/pack-authorizer.ts'
export { type PackedAuthorizer, packedFile } from './lambda/packed-authorizer.ts'
export { restApiAuthorizer } from './lambda/rest-api.ts'
export type { AuthorizerMap } from './map/authorizer-map.ts'
export { readAuthorizerMap } from './map/read-map.ts'
export { type OpenAuthorizerOptions, openAuthorizer } from './open-authorizer.ts'
export type { Identify } from './request/bearer-token.ts'
