/** `error`: the design does not work as declared. `warning`: it works, at a price that its author should know. */
export type Severity = 'error' | 'warning'

/**
 * Every finding of `prove`, with its severity and a sentence that says what is wrong.
 * docs/reference/findings.md explains the same codes; a test compares the two.
 */
export const findingCodes = {
  PartitionUnbound: { severity: 'error', says: 'An access pattern leaves a part of its key open, so it would have to scan.' },
  KeyCollision: { severity: 'error', says: 'Items of two entities can have the same table key.' },
  AmbiguousAlternative: { severity: 'error', says: 'Two alternatives of one table key can make the same key.' },
  ReservedPartition: { severity: 'error', says: 'An item can lie in a partition of the runtime.' },
  ForeignInRange: { severity: 'error', says: 'The range of an access pattern can hold items of an entity that it does not name.' },
  AdditionInRange: { severity: 'error', says: 'An addition can lie in the range of an access pattern of the source document.' },
  NeverReturned: { severity: 'error', says: 'An access pattern names an entity whose items can never lie in its range.' },
  NotEnumerable: { severity: 'error', says: 'The dependants of an item cannot be found from that item.' },
  MixedEnumeration: { severity: 'warning', says: 'The range that finds the dependants of an item can also hold other items.' },
  CopyNotFollowed: { severity: 'error', says: 'Copies of an attribute cannot be found when the original changes.' },
  CopyInKey: { severity: 'error', says: 'A table key holds a copy: the item would have to move when the original changes.' },
  CopiedTenant: { severity: 'error', says: 'An item comes to another tenant when an item of that tenant takes the key of its target.' },
  LeadsNowhere: { severity: 'error', says: 'A guard or lookup item does not have the key of its owner.' },
  OwnerIsPart: {
    severity: 'error',
    says: 'The owner of a guard or lookup item is itself a guard, a lookup item or part of an edge, so nothing would write it.',
  },
  SharedMirror: { severity: 'warning', says: 'Two owners can share one lookup item, so the second of them would be refused.' },
  ExpiresNotInstant: { severity: 'error', says: 'The attribute by which an item expires is not an instant.' },
  IndexForbidden: { severity: 'error', says: 'A design that declares that it has no indexes has one.' },
  IndexAttribute: { severity: 'error', says: 'An attribute has the name of the key attribute of an index.' },
  TooManyIndexes: { severity: 'error', says: 'The design has more global secondary indexes than DynamoDB allows a table.' },
  AbsenceUntold: { severity: 'error', says: 'An addition to a documented entity does not say what its absence means.' },
  KeyTooLong: { severity: 'error', says: 'Even the shortest key of an entity is longer than DynamoDB allows.' },
  TransactionTooLarge: { severity: 'error', says: 'One write of an item does not fit into a transaction.' },
  Unreached: { severity: 'warning', says: 'No access pattern returns the items of an entity.' },
} as const satisfies Record<string, { readonly severity: Severity; readonly says: string }>

export type FindingCode = keyof typeof findingCodes

/** A finding of a proof. Its sentence says what is wrong and what to do. */
export interface Finding<C extends string = FindingCode> {
  readonly code: C
  readonly severity: Severity
  /** The entity, access pattern, index or partition concerned. */
  readonly subject: string
  readonly message: string
  /** The parts of the sentence, for programs: the other entity, an example of a key, a number and its limit. */
  readonly details: Readonly<Record<string, unknown>>
}

export function finding(code: FindingCode, subject: string, message: string, details: Finding['details'] = {}): Finding {
  return Object.freeze({ code, severity: findingCodes[code].severity, subject, message, details: Object.freeze(details) })
}
