/** An error: the design does not hold what it says. A warning: it does, at a price that its author should know. */
export type Severity = 'error' | 'warning'

/**
 * Everything that `prove` can find, each with its severity and the sentence that says what is wrong.
 * docs/reference/findings.md explains the same codes; a test compares the two.
 */
export const findingCodes = {
  PartitionUnbound: { severity: 'error', says: 'An access pattern leaves a part of its key open, and would have to scan.' },
  KeyCollision: { severity: 'error', says: 'Items of two entities can have one table key.' },
  AmbiguousAlternative: { severity: 'error', says: 'Two alternatives of one table key can make the same key.' },
  ReservedPartition: { severity: 'error', says: 'An item can lie in the partition of the durable jobs.' },
  ForeignInRange: { severity: 'error', says: 'The range of an access pattern can hold items of an entity that it does not name.' },
  AdditionInRange: { severity: 'error', says: 'An addition can lie in the range of an access pattern of the source document.' },
  NeverReturned: { severity: 'error', says: 'An access pattern names an entity whose items can never lie in its range.' },
  NotEnumerable: { severity: 'error', says: 'What hangs on an item cannot be found from that item.' },
  MixedEnumeration: { severity: 'warning', says: 'The range that finds what hangs on an item can hold other items too.' },
  CopyNotFollowed: { severity: 'error', says: 'Copies of an attribute cannot be found when the original changes.' },
  CopyInKey: { severity: 'error', says: 'A table key holds a copy: the item would have to move when the original changes.' },
  LeadsNowhere: { severity: 'error', says: 'A guard or mirror does not hold the key of its owner.' },
  OwnerIsPart: { severity: 'error', says: 'A guard or mirror belongs to what is itself a part of something, and would never be written.' },
  SharedMirror: { severity: 'warning', says: 'Two owners can want one mirror, so that it refuses the second of them.' },
  ExpiresNotInstant: { severity: 'error', says: 'The attribute that ends the life of an item is not an instant.' },
  IndexForbidden: { severity: 'error', says: 'A design that declares to have no indexes has one.' },
  IndexAttribute: { severity: 'error', says: 'An attribute has the name of the key attribute of an index.' },
  TooManyIndexes: { severity: 'error', says: 'The design has more global secondary indexes than DynamoDB allows a table.' },
  KeyTooLong: { severity: 'error', says: 'Even the shortest key of an entity is longer than DynamoDB allows.' },
  TransactionTooLarge: { severity: 'error', says: 'One write of an item does not fit into a transaction.' },
  Unreached: { severity: 'warning', says: 'No access pattern returns the items of an entity.' },
} as const satisfies Record<string, { readonly severity: Severity; readonly says: string }>

export type FindingCode = keyof typeof findingCodes

/** Something that a proof has found: the sentence says what is wrong and what to do. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: Severity
  /** The entity, access pattern, index or partition that it is about. */
  readonly subject: string
  readonly message: string
  /** What the sentence mentions, for programs: the other entity, an example of a key, a number and its limit. */
  readonly details: Readonly<Record<string, unknown>>
}

export function finding(code: FindingCode, subject: string, message: string, details: Finding['details'] = {}): Finding {
  return Object.freeze({ code, severity: findingCodes[code].severity, subject, message, details: Object.freeze(details) })
}
