import type { Revert } from './revert.ts'

const dynamo = 'packages/table/src/dynamo'

/** Answers that are not DynamoDB's: point 5 of issue 10. */
export const answerReverts: readonly Revert[] = [
  {
    name: 'an answer is taken as it comes',
    patches: [
      {
        file: `${dynamo}/retry.ts`,
        text: 'output: checkAnswer(operation, await sender.send(operation, input, sending))',
        reverted: 'output: await sender.send(operation, input, sending)',
      },
    ],
    shownBy: [
      'a creation is not done, and is answered: list',
      'a creation is not done, and is answered: null',
      'what is there is answered as nothing',
      'what hangs on an item is answered as an empty list',
    ],
  },
  {
    name: 'a write that is answered as a read is believed',
    patches: [{ file: `${dynamo}/answer.ts`, text: '!isRecord(value) || isForeign(operation, value)', reverted: '!isRecord(value)' }],
    shownBy: ['a creation is not done, and is answered: item null', 'a removal is not done, and is answered as a read'],
  },
  {
    name: 'a refusal that is no JSON is one of the request',
    patches: [
      {
        file: `${dynamo}/signed-sender.ts`,
        text: 'throw new MalformedAnswer(`DynamoDB answered ',
        reverted: 'throw Object.assign(new Error(), { $metadata: { httpStatusCode: statusCode } }, `DynamoDB answered ',
      },
    ],
    shownBy: ['an update is done, and is answered: no JSON'],
  },
  {
    name: 'an item that a refusal has lost is none',
    patches: [
      {
        file: `${dynamo}/error.ts`,
        text: "isItem(item) ? { kind, cause, item } : { kind: 'lost', cause }",
        reverted: 'isItem(item) ? { kind, cause, item } : { kind, cause }',
      },
      {
        file: `${dynamo}/error.ts`,
        text: 'return isItem(item) ? { ...told, item } : undefined',
        reverted: 'return isItem(item) ? { ...told, item } : told',
      },
    ],
    shownBy: ['the refusal of a change of Product has lost its item', 'the refusal of a change of AccountAddress has lost its item'],
  },
]
