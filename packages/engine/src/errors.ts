/** What DynamoDB answers instead of an output. It has the form of the AWS SDK's exceptions, so that a program tells them apart by `name`. */
export class ServiceError extends Error {
  readonly $fault: 'client' | 'server'
  readonly $metadata: { readonly httpStatusCode: number }
  readonly details: Readonly<Record<string, unknown>>

  /**
   * @param name DynamoDB's code, for example `ValidationException`
   * @param details members of the error beside its message, for example `CancellationReasons`
   */
  constructor(name: string, message: string, details: Readonly<Record<string, unknown>> = {}, status = 400) {
    super(message)
    this.details = details
    this.name = name
    this.$fault = status < 500 ? 'client' : 'server'
    this.$metadata = { httpStatusCode: status }
    Object.assign(this, details)
  }
}

export function invalid(message: string): ServiceError {
  return new ServiceError('ValidationException', message)
}

/** Most rules about values begin so. */
export function invalidValues(message: string): ServiceError {
  return invalid(`One or more parameter values were invalid: ${message}`)
}

export function malformed(message: string): ServiceError {
  return new ServiceError('SerializationException', message)
}

export function missing(message = 'Requested resource not found'): ServiceError {
  return new ServiceError('ResourceNotFoundException', message)
}

export function conditionFailed(item?: object): ServiceError {
  return new ServiceError('ConditionalCheckFailedException', 'The conditional request failed', item === undefined ? {} : { Item: item })
}
