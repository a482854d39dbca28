import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { silenceNodeVersionWarning } from '../environment.ts'
import { type ClientOptions, completed } from './client-options.ts'
import type { HttpHandler } from './http-handler.ts'

/**
 * The AWS SDK's client, which provides the endpoint, the credentials and the signatures. Its commands and their middleware are not used
 * (`SignedSender`), so they need no tuning.
 * @param requestHandler carries the requests, also those of the SDK's own
 */
export function createClient(options: ClientOptions, requestHandler: HttpHandler): DynamoDBClient {
  silenceNodeVersionWarning()
  return new DynamoDBClient({ ...completed(options), requestHandler })
}
