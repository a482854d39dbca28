import type { Authorizer } from '../deciding/authorizer.ts'
import { type AppSyncAnswer, appSyncAuthorizer, isAppSyncEvent } from './appsync.ts'
import { readEvent } from './event.ts'
import { httpApiAuthorizer, httpApiIamAuthorizer, isHttpEvent, type SimpleAnswer } from './http-api.ts'
import { type IamAnswer, unauthorized } from './iam-answer.ts'
import { isRestEvent, restApiAuthorizer } from './rest-api.ts'

export interface LambdaOptions {
  /** The answers to an HTTP API with payload format 2.0: as its `EnableSimpleResponses` says. Simple unless given. */
  readonly httpAnswers?: 'simple' | 'iam' | undefined
}

export type LambdaAnswer = IamAnswer | SimpleAnswer | AppSyncAnswer

/** A handler for the events of REST APIs, HTTP APIs, WebSocket APIs and AppSync, each known by its form. It rejects with `Unauthorized` for any other event. */
export function lambdaAuthorizer(
  authorizer: Authorizer,
  { httpAnswers = 'simple' }: LambdaOptions = {},
): (event: unknown) => Promise<LambdaAnswer> {
  const rest = restApiAuthorizer(authorizer)
  const http = httpAnswers === 'iam' ? httpApiIamAuthorizer(authorizer) : httpApiAuthorizer(authorizer)
  const appSync = appSyncAuthorizer(authorizer)
  return async (given) => {
    const event = readEvent(given)
    if (isHttpEvent(event)) return http(given)
    if (isRestEvent(event)) return rest(given)
    if (isAppSyncEvent(event)) return appSync(given)
    // The log has a line for it: nothing of such an event is read.
    await authorizer.authorize({ header: () => [], asked: undefined })
    throw unauthorized()
  }
}
