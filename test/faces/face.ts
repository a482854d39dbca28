/** An item, or what names or changes one. */
export type Values = Readonly<Record<string, unknown>>

/** The outcome of a request: the item as it is then, nothing if it was removed, or the code of the error. */
export interface Outcome {
  readonly item?: Values
  readonly code?: string
}

/** The result of a flow: nothing, an item, the items of all pages of a list, or the code of the error. */
export interface Done extends Outcome {
  readonly items?: readonly Values[]
}

/** One way to a table of a design: the library, the command, HTTP. Whatever is said beside an outcome, as a status, is checked there. */
export interface Face {
  create(entity: string, input: Values): Promise<Outcome>
  get(entity: string, id: Values): Promise<Outcome>
  update(entity: string, id: Values, change: Values): Promise<Outcome>
  move(entity: string, id: Values, change: Values): Promise<Outcome>
  remove(entity: string, id: Values): Promise<Outcome>
  /** The items of every page of an access pattern that is a query. */
  query(pattern: string, parameters: Values): Promise<readonly Values[]>
  /** Runs a flow, as an operator or as the user of this id or e-mail address. */
  flow(name: string, input: Values, as?: string): Promise<Done>
  /** Creates an item of the same table as a program does: for entities that command and HTTP leave to flows. */
  seed(entity: string, input: Values): Promise<Outcome>
  close(): void
}
