/** A step of a document path: an attribute's name, an expression attribute name that stands for one, or the index of a list. */
export type PathElement = { readonly word: string } | { readonly alias: string } | { readonly index: number }

export interface PathNode {
  readonly kind: 'path'
  readonly elements: readonly PathElement[]
}

export interface ValueNode {
  readonly kind: 'value'
  /** With its colon. */
  readonly name: string
}

export interface CallNode {
  readonly kind: 'call'
  readonly name: string
  readonly operands: readonly Operand[]
}

/** A sum or difference, in update expressions. */
export interface SumNode {
  readonly kind: 'sum'
  readonly sign: 1 | -1
  readonly left: Operand
  readonly right: Operand
}

export type Operand = PathNode | ValueNode | CallNode | SumNode

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>='

export type ConditionNode =
  | { readonly kind: 'and' | 'or'; readonly left: ConditionNode; readonly right: ConditionNode }
  | { readonly kind: 'not'; readonly inner: ConditionNode }
  | { readonly kind: 'compare'; readonly operator: Comparator; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'between'; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly among: readonly Operand[] }
  | CallNode

export type UpdateAction =
  | { readonly section: 'SET'; readonly path: PathNode; readonly operand: Operand }
  | { readonly section: 'REMOVE'; readonly path: PathNode }
  | { readonly section: 'ADD' | 'DELETE'; readonly path: PathNode; readonly operand: ValueNode }
