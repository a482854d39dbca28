/**
 * An attribute as it lies in the table: one that the design does not know, or whose value cannot be read. Nothing parses it, and a write of the item gives
 * it back unchanged.
 */
export class Carried {
  /** In DynamoDB's JSON protocol. */
  readonly value: object

  constructor(value: object) {
    this.value = value
  }
}
