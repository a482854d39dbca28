import type { Decision } from '../deciding/authorizer.ts'
import { type AnswerContext, answerContext } from './answer-context.ts'

/** An answer that is an IAM policy of one statement. */
export interface IamAnswer {
  readonly principalId: string
  readonly policyDocument: {
    readonly Version: '2012-10-17'
    readonly Statement: readonly [{ readonly Action: 'execute-api:Invoke'; readonly Effect: 'Allow' | 'Deny'; readonly Resource: string }]
  }
  readonly context?: AnswerContext
}

/** API Gateway answers this error, and no other, with 401. */
export const unauthorized = (): Error => new Error('Unauthorized')

/** True for a text that IAM takes for a pattern of many. */
export const isPattern = (text: string): boolean => /[*?]|\$\{/.test(text)

/** A name of one method. */
export const isOneArn = (arn: unknown): arn is string => typeof arn === 'string' && arn.startsWith('arn:') && !isPattern(arn)

/** The answer for the method that was asked for, and no other. */
export function iamAnswer(decision: Decision, arn: string): IamAnswer {
  const Effect = decision.allowed ? 'Allow' : 'Deny'
  return {
    principalId: decision.user ?? 'anonymous',
    policyDocument: { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: arn }] },
    ...(decision.allowed ? { context: answerContext(decision) } : {}),
  }
}
